/** Builds the messages of a chat request in OpenAI's format, which Workers AI also accepts. */
import type { ChatRequest } from './model-provider.ts';

export const chatMessages = ({ system, messages, image }: ChatRequest) => [
  { role: 'system', content: system },
  ...messages.map(({ role, content }, index) => ({
    role,
    content: image && index === 0 ? withImage(content, image) : content,
  })),
];

const withImage = (text: string, image: NonNullable<ChatRequest['image']>) => [
  { type: 'text', text },
  {
    type: 'image_url',
    image_url: { url: `data:${image.contentType};base64,${image.bytes.toBase64()}` },
  },
];

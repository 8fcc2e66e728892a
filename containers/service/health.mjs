/**
 * Checks the health of the service in its image. Exits with code 1 if the service does not respond or one of its
 * components is down.
 */
const headers = process.env.METRICS_TOKEN
  ? { Authorization: `Bearer ${process.env.METRICS_TOKEN}` }
  : {};
try {
  const response = await fetch(`http://127.0.0.1:${process.env.PORT}/health?deep=1`, { headers });
  const { status } = await response.json();
  process.exit(response.ok && status !== 'down' ? 0 : 1);
} catch {
  process.exit(1);
}

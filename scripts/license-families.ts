/**
 * Groups licenses by the obligations that they impose. The check fails for an ungrouped license, so that someone
 * reviews it.
 */

export interface LicenseFamily {
  name: string;
  /** Matches the start of a license identifier, so that a trailing exception is ignored. */
  pattern: RegExp;
  isAlso?(license: string): boolean;
  /** The obligations for a service or a published image, and how the project complies with them. */
  obligation: string;
}

/** The families, ordered from the strongest obligations to the weakest. */
export const FAMILIES: readonly LicenseFamily[] = [
  {
    name: 'AGPL',
    pattern: /^AGPL-3/,
    obligation:
      'Users who access a modified version over a network must be offered its source. We use the fonts unmodified. The source offer above covers published images.',
  },
  {
    name: 'GPL',
    pattern: /^((SMAIL-)?GPL|DONT-CHANGE-THE-GPL|noderivs)/,
    obligation:
      'Recipients of the program must be offered its source under the same license. The source offer above covers published images. Running the program as part of a service imposes no obligation.',
  },
  {
    name: 'LGPL',
    pattern: /^(LGPL|The main library is licensed under GNU Lesser)/,
    obligation:
      'Recipients of the library must be offered its source and be able to replace the library. We load these libraries at run time from separate files, which can be replaced.',
  },
  {
    name: 'Other copyleft',
    pattern:
      /^(MPL|EPL|CDDL|CPL|CC-BY-SA|GFDL|OFL|SIL|Sleepycat|Artistic|Perl|LPPL|copyleft|Linux-man-pages-copyleft)/i,
    obligation: 'Modified files must stay under the license. We do not modify these files.',
  },
  {
    name: 'Permissive',
    pattern:
      /^(MIT|Expat|X11|ISC|0BSD|BSD|Apache|BlueOak|Unlicense|WTFPL|CC0|CC-BY-[34]|Zlib|ZLIB|BSL|Python|PSF|Unicode)/i,
    isAlso: (license) => DEBIAN_NOTICES.has(license),
    obligation:
      'The copyright notice must be included. npm and Debian include it in each package in the image.',
  },
];

/**
 * Returns the families of an identifier or an SPDX expression, the strongest first. Returns an empty list if one of the
 * identifiers is unknown.
 */
export function familiesOf(license: string): LicenseFamily[] {
  const parts = license.replace(/[()]/g, '').split(/ AND | OR /);
  const found = parts.map((part) =>
    FAMILIES.find(({ pattern, isAlso }) => pattern.test(part.trim()) || isAlso?.(part.trim())),
  );
  return found.includes(undefined) ? [] : FAMILIES.filter((family) => found.includes(family));
}

/**
 * License names in the copyright files of Debian's main archive, which contains only free software. These licenses
 * require only a notice.
 */
const DEBIAN_NOTICES = new Set(
  `
AFL-2.0
AFL-2.1
Apple-license
BZIP
Beerware
Bitstream-Vera
Boost-1.0
BrownUn_UnCalifornia_ErikCorry
CC-zero-waive-1.0-us
CORE-MATH
Carnegie
Chromium
Chromium-BSD-style
DEC
Example
F5
FSF-manpages
FSF-unlimited
FSFAP
FSFAP-no-warranty
FSFUL
FSFULLR
FSFULLRWD
FTL
FreeSoftware
GAP
GAP~Makefile.in
GAP~configure
GNU-All-Permissive-License
GNU-All-Permissive-License-FSF
Gareth_McCaughan
Hylafax
IBM
IBM-as-is
ICU
IJG
Iconv-PD
Inner-Net
JCG
JMVBSD
Janik-permissive
KISSFFTBSD
Kazlib
Khronos
Kuchling-PD
LIBPNG
LIBTIFF
LIBTIFF-GLARSON
LIBTIFF-PIXAR
Latex2e
MLAA
Mingw-PD
Monotype
Mozilla-permissive
Ms-PL
NPES
NRL-2-clause
NRL-3-clause
NTP
NTP~Lucent
NTP~WSU
NeoSoft-permissive
OLDAP-2.8
OpenGroup-MIT
OpenLDAP
OpenLDAP-2.8
OpenSSL+SSLeay
PCRE
PD
PD-debian
Plumb-PD
Public-Domain
Public-domain
PublicDomain_David_Ludwig
PublicDomain_Edgar_Simo
PublicDomain_Sam_Lantinga
REGCOMP
RFC-Reference
RFC-special
RSA-MD
RSA_Data_Security
SDBM-PUBLIC-DOMAIN
SGI
SGI-Free-Software-License-B
SWL
Spherepack
Sun-permissive
SunPro
Sundry
TCL
TCL-like
TEXT-TABS
TU-Berlin-2.0
Tcl-BSDish
TinySCHEME
UFL-1.0
UMich
Univ-Coimbra
ZPL-2.1
all-permissive
bitstream-vera
bzip2-1.0.6
check-gdk-cairo-permissive
cipic
cmph
curl
custom
custom-1
custom-sil-open-font-license
customFSFUL
customFSFULLRWD
g10-permissive
gnulib
gsm
hidapi-orig
lcs-telegraphics-permissive
libpng
listen-ircam
lucent
man-page
none
old-glib-tests
other
other-1
other-MetroLink
other-XFree
pcre
permissive
permissive-nowarranty
permissive1
permissive2
pubic-domain
public-domain
public-domain-md4
public-domain-md5
public-domain-s-s-d
public-domain-sha1
public-domain~Kroon
rfc3533-license
rfc5334-license
solar-public-domain
sun
sun-permissive
u-o-tennesee
unencumbered
verbatim
`
    .trim()
    .split('\n'),
);

// `//`, `\`, `;`, and the escapes of `.`, `/`, `\`, `;` and NUL: each is a separator, a parent folder or a terminator to some program.
const ambiguous = /\/\/|[\\;]|%(?:2e|2f|5c|3b|00|25)/i;
const dotSegment = /\/\.{1,2}(?:\/|$)/;
// RFC 3986 §3.3 allows these in a path; anything else should have been escaped.
const allowed = /^\/[A-Za-z0-9\-._~!$&'()*+,=:@%/]*$/;

/**
 * Whether two programs could read the path differently, `path` being the raw text before `?`: absolute form, empty
 * or dot segments, escaped separators, double escapes, escapes that aren't UTF-8, characters that belong escaped.
 */
export function isAmbiguousPath(path: string): boolean {
	if (!allowed.test(path) || ambiguous.test(path) || dotSegment.test(path)) return true;
	if (!path.includes('%')) return false;
	try {
		// No address contains an escaped control character.
		return /\p{Cc}/u.test(decodeURIComponent(path));
	} catch {
		return true; // Not valid percent-encoded UTF-8.
	}
}

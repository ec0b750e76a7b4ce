import type { ForgedToken } from './forged-tokens.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Variants of a genuine token: damaged, or in another encoding. */
export function misspelledTokens(token: string): ForgedToken[] {
	const parts = token.split('.');
	const [header = '', payload = '', signature = ''] = parts;
	const refusedByHttp: [string, string][] = [
		['empty', ''],
		['100 KB', 'a'.repeat(102_400)],
		['a genuine token followed by 100 KB', `${token}${'A'.repeat(102_400)}`],
		['a leading space', ` ${token}`],
		['a trailing space', `${token} `],
		['a trailing line break', `${token}\n`],
		['a line break inside', `${header}.${payload}\n.${signature}`],
		['a trailing NUL', `${token}\0`],
		['a character beyond ASCII', `${header}.${payload}.${signature.slice(0, -1)}\u{ff21}`],
	];
	const misspelled: [string, string][] = [
		['a space inside', `${header}. ${payload}.${signature}`],
		['cut in half', token.slice(0, token.length / 2)],
		['without its last character', token.slice(0, -1)],
		['two parts', `${header}.${payload}`],
		['two dots only', '..'],
		['a fourth part', `${token}.${signature}`],
		['a trailing dot', `${token}.`],
		['padding', `${token}==`],
		['padding of the header', `${header}=.${payload}.${signature}`],
		['unused bits set in the last character', `${header}.${payload}.${nextCharacter(signature, -1, 1)}`],
		['the alphabet of plain base64', token.replaceAll('-', '+').replaceAll('_', '/')],
		['invalid JSON as header', `${Buffer.from('{"alg":').toString('base64url')}.${payload}.${signature}`],
		['an array as header', `${Buffer.from('["RS256"]').toString('base64url')}.${payload}.${signature}`],
		['null as header', `${Buffer.from('null').toString('base64url')}.${payload}.${signature}`],
		...[0, 1, 2].flatMap((part) =>
			[0, 0.25, 0.5, 0.75, 0.99].map((place): [string, string] => [
				`part ${part + 1} changed at ${place * 100} %`,
				parts
					.map((text, index) => (index === part ? nextCharacter(text, place * text.length, 32) : text))
					.join('.'),
			]),
		),
	];
	return [
		...misspelled.map(([name, text]) => ({ name, token: text, overHttp: true })),
		...refusedByHttp.map(([name, text]) => ({ name, token: text, overHttp: false })),
	];
}

/** The text with one character shifted by `by` in the alphabet: 32 flips its highest bit. */
function nextCharacter(text: string, place: number, by: number): string {
	const at = place < 0 ? text.length + place : Math.floor(place);
	const next = alphabet[(alphabet.indexOf(text.charAt(at)) + by) % alphabet.length] ?? '';
	return text.slice(0, at) + next + text.slice(at + 1);
}

import { readFileSync } from 'node:fs';

/** A committed document with other lines between the marks of each part. @throws TypeError without the marks */
export function withParts(document: string, parts: Readonly<Record<string, string>>): string {
	let text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8');
	for (const [name, part] of Object.entries(parts)) {
		const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
		const [from, to] = [text.indexOf(begin), text.indexOf(end)];
		if (from < 0 || to < from) throw new TypeError(`${document} lacks the marks of "${name}"`);
		text = `${text.slice(0, from + begin.length)}\n${part}\n${text.slice(to)}`;
	}
	return text;
}

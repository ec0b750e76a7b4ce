import { type FilledContent, type MailContent, oneLine, withSubjects } from './mail-content.ts';
import type { Language } from './mail-declaration.ts';

export interface RenderedMail {
	readonly subject: string;
	readonly text: string;
	readonly html: string;
}

interface Frame {
	readonly language: Language;
	/** Name of the recipient; without it the greeting is general. */
	readonly name?: string | undefined;
	/** Address of the gateway, without a slash at its end. */
	readonly publicUrl: string;
	/** Whether a note says that such mails can be switched off. */
	readonly canBeSwitchedOff: boolean;
}

const texts = {
	de: {
		greeting: (name: string) => `Guten Tag ${name},`,
		anonymous: 'Guten Tag,',
		automatic: 'Diese Nachricht wurde automatisch verschickt; Antworten werden nicht gelesen.',
		switchOff: 'Nachrichten dieser Art können Sie in Ihrem Profil abbestellen.',
	},
	en: {
		greeting: (name: string) => `Hello ${name},`,
		anonymous: 'Hello,',
		automatic: 'This message was sent automatically; replies are not read.',
		switchOff: 'You can switch off messages of this kind in your profile.',
	},
} as const;

/** Renders text and HTML of the same content. */
export function renderMail(content: MailContent, frame: Frame): RenderedMail {
	const { subject, parts } = withSubjects(content, []);
	const { greeting, anonymous, automatic, switchOff } = texts[frame.language];
	const hello = frame.name === undefined ? anonymous : greeting(frame.name);
	const footer = frame.canBeSwitchedOff ? `${switchOff} ${automatic}` : automatic;
	const urlOf = (path: string) => `${frame.publicUrl}${path}`;
	const text = [hello, ...parts.map((part) => textOf(part, urlOf)), `-- \n${footer}`].join('\n\n');
	const body = [paragraph(hello), ...parts.map((part) => htmlOf(part, urlOf))].join('\n');
	const line = oneLine(subject);
	return {
		subject: line,
		text: `${text}\n`,
		html: `<!doctype html>
<html lang="${frame.language}"><head><meta charset="utf-8"><title>${escaped(line)}</title></head>
<body style="font: 16px/1.5 sans-serif; max-width: 40em; margin: 1em auto; padding: 0 1em">
${body}
<hr><p style="font-size: 13px">${escaped(footer)}</p>
</body></html>
`,
	};
}

type RenderedPart = FilledContent['parts'][number];
type UrlOf = (path: string) => string;

function textOf(part: RenderedPart, urlOf: UrlOf): string {
	if (typeof part === 'string') return part;
	if ('link' in part) return `${part.link.text}:\n${urlOf(part.link.path)}`;
	return part.facts.map(([label, value]) => `${label}: ${oneLine(value)}`).join('\n');
}

function htmlOf(part: RenderedPart, urlOf: UrlOf): string {
	if (typeof part === 'string') return paragraph(part);
	if ('link' in part)
		return `<p><a href="${escaped(urlOf(part.link.path))}">${escaped(part.link.text)}</a></p>`;
	const rows = part.facts.map(([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`);
	return `<dl>${rows.join('')}</dl>`;
}

function paragraph(text: string): string {
	return `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`;
}

const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escaped(text: string): string {
	return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

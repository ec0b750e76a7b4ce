import { expect, test } from '@jest/globals';
import { fittedContent, mailContent } from './mail-content.ts';

const lengths = (texts: readonly string[]) => texts.map((text) => [text.isWellFormed(), text.length]);

test('texts of any length become content that is accepted, without half characters', () => {
	const long = `a${'🐴'.repeat(3_000)}`;
	const content = fittedContent({
		subject: long,
		parts: [
			long,
			{ facts: [['Horse', long]] },
			{ link: { path: '/app', text: 'Open' } },
			{ subjects: 'Entries' },
		],
	});
	expect(mailContent.parse(content)).toEqual(content);
	const [paragraph, facts] = content.parts;
	const value = typeof facts === 'object' && 'facts' in facts ? facts.facts[0]?.[1] : undefined;
	expect(lengths([content.subject, String(paragraph), String(value)])).toEqual([
		[true, 300],
		[true, 4_000],
		[true, 1_000],
	]);
});

test('a character of two units is not divided', () => {
	const { subject } = fittedContent({ subject: '🐴'.repeat(151), parts: ['Text'] });
	expect(subject).toBe(`${'🐴'.repeat(149)}…`);
});

test('other texts stay as they are', () => {
	const content = { subject: '🐴'.repeat(150), parts: ['x'.repeat(4_000)] };
	expect(fittedContent(content)).toEqual(content);
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { exampleOf, type MailDeclaration, mailContent, renderMail } from '@paddock/mail';
import { mailDeclarations } from '../../scripts/mails/mail-declarations.ts';
import { accountMails } from '../../services/auth/src/mails/account-mails.ts';
import { mailCategories } from '../../services/auth/src/mails/categories.ts';

const frame = { name: 'Anna Huber', publicUrl: 'https://paddock.example.org', canBeSwitchedOff: false };
const languages = ['de', 'en'] as const;

let mails: readonly MailDeclaration<object>[];
beforeAll(async () => {
	mails = await mailDeclarations();
});

describe('the mails of all contexts', () => {
	test('have a name of their own', () => {
		const names = mails.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(names.length).toBeGreaterThanOrEqual(accountMails.length);
	});

	test('have a category that the profile knows if they can be switched off, and otherwise none of those', () => {
		const known = mails.filter(({ category }) => mailCategories.some((each) => each === category));
		expect(known.map(({ name }) => name)).toEqual(
			mails.filter(({ canBeSwitchedOff }) => canBeSwitchedOff).map(({ name }) => name),
		);
	});

	test('are rendered as text and HTML with the same words, in two languages', () => {
		for (const mail of mails) {
			const [german, english] = languages.map((language) => {
				const content = mailContent.parse(exampleOf(mail, language));
				const rendered = renderMail(content, { ...frame, language });
				for (const part of content.parts.filter((each) => typeof each === 'string'))
					expect(rendered.text).toContain(part);
				expect(rendered.subject.length).toBeLessThan(80);
				expect(`${rendered.subject} ${rendered.text} ${rendered.html}`).not.toMatch(/undefined|\[object|NaN/);
				expect(words(rendered.html)).toEqual(expect.arrayContaining(words(content.subject)));
				return rendered;
			});
			expect([mail.name, german?.subject]).not.toEqual([mail.name, english?.subject]);
		}
	});

	// Names of people, horses and events are written by users.
	test('show texts of users as text: no markup, and no further header', () => {
		const hostile = `<img src=x onerror=alert(1)> & "quoted" 'text'\r\nBcc: victim@example.org`;
		for (const mail of mails) {
			const example = Object.fromEntries(
				Object.entries(mail.example).map(([name, value]) => [
					name,
					typeof value === 'string' && isWritten(name, value) ? hostile : value,
				]),
			);
			for (const language of languages) {
				const { subject, html } = renderMail(mail[language](example), { ...frame, language, name: hostile });
				expect(html).not.toContain('<img');
				expect(html).not.toContain('"quoted"');
				expect(subject).not.toMatch(/[\r\n]/);
			}
		}
	});
});

/** Paths, days and time zones are not texts of users. */
const isWritten = (name: string, text: string) =>
	!text.startsWith('/') && !/^\d{4}-\d\d-\d\d$/.test(text) && name !== 'timeZone';

function words(text: string): string[] {
	return text.replaceAll(/<[^>]+>/g, ' ').match(/\p{L}+/gu) ?? [];
}

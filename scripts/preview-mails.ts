import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exampleOf, renderMail } from '@paddock/mail';
import { mailDeclarations } from './mails/mail-declarations.ts';

process.title = 'paddock preview-mails';

// `npm run preview-mails -- [FOLDER]`: writes text and HTML of all mails with their example data, in both languages.
const folder = resolve(process.argv[2] ?? '.data/mail-preview');

await mkdir(folder, { recursive: true });
for (const mail of await mailDeclarations()) {
	for (const language of ['de', 'en'] as const) {
		const { canBeSwitchedOff } = mail;
		const frame = { language, name: 'Anna Huber', publicUrl: 'http://127.0.0.1:8080', canBeSwitchedOff };
		const { subject, text, html } = renderMail(exampleOf(mail, language), frame);
		const file = join(folder, `${mail.name}.${language}`);
		await writeFile(`${file}.txt`, `Subject: ${subject}\n\n${text}`);
		await writeFile(`${file}.html`, html);
	}
	console.log(`${mail.name} (${mail.category}${mail.canBeSwitchedOff ? ', can be switched off' : ''})`);
}
console.log(`Wrote ${folder}.`);

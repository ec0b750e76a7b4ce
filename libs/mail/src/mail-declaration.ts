import { type MailContent, withSubjects } from './mail-content.ts';

export type Language = 'de' | 'en';

/** The declaration of one mail, beside the use case that sends it. */
export interface MailDeclaration<Data extends object> {
	/** Fixed, e.g. `entry-accepted`; the log and the job name it. */
	readonly name: string;
	/** What a recipient switches off or on; see `mailCategories` of auth. */
	readonly category: string;
	readonly canBeSwitchedOff: boolean;
	/** Data for the render test and the preview. */
	readonly example: Data;
	readonly de: (data: Data) => MailContent;
	readonly en: (data: Data) => MailContent;
}

export function defineMail<Data extends object>(declaration: MailDeclaration<Data>): MailDeclaration<Data> {
	return declaration;
}

/** The content with the example data. */
export function exampleOf<Data extends object>(mail: MailDeclaration<Data>, language: Language): MailContent {
	return withSubjects(mail[language](mail.example), ['Lena Huber, Donnerhall (12)', 'Max Huber, Fleur (31)']);
}

/** German for each kind of German, otherwise English. */
export function languageOf(locale: string): Language {
	return /^de\b/i.test(locale) ? 'de' : 'en';
}

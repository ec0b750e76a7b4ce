import { computed, signal } from '@preact/signals';
import { texts } from './texts.ts';

export type Language = 'de' | 'en';
type Key = keyof typeof texts;

const cookie = 'paddock.language';
const chosen = /(?:^|; )paddock\.language=(de|en)/.exec(document.cookie)?.[1] as Language | undefined;

/** The language of the pages: as chosen here, else that of the browser. */
export const language = signal<Language>(
	chosen ?? (navigator.languages.some((tag) => tag.startsWith('de')) ? 'de' : 'en'),
);
/** True if nothing was chosen, so that the account's language applies. */
let isGuessed = chosen === undefined;

export function chooseLanguage(next: Language): void {
	isGuessed = false;
	language.value = next;
	document.documentElement.lang = next;
	// biome-ignore lint/suspicious/noDocumentCookie: a preference, not a secret; the alternative is asynchronous.
	document.cookie = `${cookie}=${next}; Path=/app; Max-Age=31536000; SameSite=Strict`;
}

/** Follows the account's language tag, unless another was chosen on this device. */
export function suggestLanguage(locale: string): void {
	if (!isGuessed) return;
	language.value = locale.startsWith('de') ? 'de' : 'en';
	document.documentElement.lang = language.value;
}

/** The text in the present language; `{0}` stands for the first value. */
export function t(key: Key, ...values: readonly string[]): string {
	const text = texts[key][language.value === 'de' ? 0 : 1];
	return values.reduce((whole, value, index) => whole.replaceAll(`{${index}}`, value), text as string);
}

export function isText(key: string): key is Key {
	return Object.hasOwn(texts, key);
}

const formats = computed(() => {
	const tag = language.value === 'de' ? 'de-AT' : 'en-GB';
	return {
		time: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }),
		day: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }),
	};
});

/** Date and time of an instant, where the reader is. */
export function timeText(instant: string): string {
	return formats.value.time.format(new Date(instant));
}

/** A calendar day, `2014-05-02`. */
export function dayText(day: string): string {
	return formats.value.day.format(new Date(day.slice(0, 10)));
}

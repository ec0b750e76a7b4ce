import { timeIn } from '@paddock/calendar';
import type { Language } from './mail-declaration.ts';

const germanMonths: Readonly<Record<string, string>> = {
	January: 'Jänner',
	February: 'Februar',
	March: 'März',
	May: 'Mai',
	June: 'Juni',
	July: 'Juli',
	October: 'Oktober',
	December: 'Dezember',
};

/** 1. Mai 2026, or 1 May 2026. */
export function dayText(day: string, language: Language): string {
	const [date = ''] = timeIn('UTC', new Date(`${day}T00:00:00Z`)).split(' at ');
	return translated(date, language);
}

/** 1. Mai 2026 bis 3. Mai 2026, or 1 May 2026 to 3 May 2026; one day only once. */
export function dayRangeText(first: string, last: string, language: Language): string {
	const [from, to] = [dayText(first, language), dayText(last, language)];
	return from === to ? from : `${from} ${language === 'de' ? 'bis' : 'to'} ${to}`;
}

/** 1. Mai 2026 um 12:00 (Wien), or 1 May 2026 at 12:00 (Vienna): at the clock of that place. */
export function instantText(instant: Date, language: Language, timeZone = 'Europe/Vienna'): string {
	const [date = '', time] = timeIn(timeZone, instant).split(' at ');
	const place = timeZone.split('/').at(-1)?.replaceAll('_', ' ');
	if (language === 'en') return `${date} at ${time} (${place})`;
	return `${translated(date, language)} um ${time} (${place === 'Vienna' ? 'Wien' : place})`;
}

function translated(date: string, language: Language): string {
	const [day, month = '', year] = date.split(' ');
	return language === 'en' ? date : `${day}. ${germanMonths[month] ?? month} ${year}`;
}

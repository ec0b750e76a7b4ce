import type { Revocation } from './revocation.ts';

/** One response of the revocation feed. */
export interface RevocationPage {
	readonly items: readonly Revocation[];
	/** The cursor of the next page; opaque. */
	readonly next: string;
	/** Whether further entries are already available. */
	readonly more: boolean;
}

const subjectFormat = /^[A-Za-z0-9_-]{43}$/;
const cursorCharsMax = 100;

/** Reads the envelope of a page. @throws Error for any other shape. */
export function readRevocationPage(body: unknown): RevocationPage {
	const { data } = asRecord(body);
	const { items, next, more } = asRecord(data);
	if (!Array.isArray(items) || typeof more !== 'boolean') throw unreadable();
	if (typeof next !== 'string' || next === '' || next.length > cursorCharsMax) throw unreadable();
	return { items: items.map(readRevocation), next, more };
}

function readRevocation(item: unknown): Revocation {
	const { subject, before } = asRecord(item);
	if (typeof subject !== 'string' || !subjectFormat.test(subject)) throw unreadable();
	if (before !== null && (typeof before !== 'number' || !Number.isSafeInteger(before))) throw unreadable();
	return { subject, before };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable();
	return value as Readonly<Record<string, unknown>>;
}

function unreadable(): Error {
	return new Error('The response is not a page of the revocation feed.');
}

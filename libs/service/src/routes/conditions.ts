import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { apiError, type FieldError, refuseInvalid } from '@paddock/contract';

const entityTag = /(?:W\/)?"[!#-~\u0080-\u00ff]*"/g;
// A version, the digest of derived data, and the suffix of a coding that a proxy appends, such as `-gzip` or `;br`.
const versionFormat = /^(?:W\/)?"([1-9]\d{0,14})(?:\.[\w-]{1,64})?(?:[-;:+][\w-]{1,16})?"$/;

type VersionHeader = 'If-Match' | 'If-None-Match';

/** The versions in a header; undefined = no condition; empty = no tag of ours, so it never matches. */
type Versions = readonly number[] | '*' | undefined;

export type Preconditions = ReturnType<typeof parsePreconditions>;

/** @throws ApiError VALIDATION_ERROR for a header that is no list of entity tags (RFC 9110 §13.1.1, §13.1.2). */
export function parsePreconditions(headers: IncomingHttpHeaders) {
	return {
		ifMatch: versionsIn('If-Match', headers['if-match']),
		ifNoneMatch: versionsIn('If-None-Match', headers['if-none-match']),
	};
}

function versionsIn(name: VersionHeader, header: string | undefined): Versions {
	if (header === undefined) return undefined;
	if (header.trim() === '*') return '*';
	// Tags may contain commas, so they are replaced before the list is split; empty elements are legal (§5.6.1.2).
	const elements = header
		.replaceAll(entityTag, '""')
		.split(',')
		.map((element) => element.trim());
	if (!elements.includes('""') || elements.some((element) => element !== '' && element !== '""'))
		throw apiError('VALIDATION_ERROR', { errors: [malformed(name)] });
	return (header.match(entityTag) ?? []).flatMap((tag) => {
		// Compared weakly in If-Match too, against RFC 9110 §13.1.1: a proxy that compresses weakens the tag, and what it names
		// is a version of the record, the same for all codings.
		const version = versionFormat.exec(tag)?.[1];
		return version === undefined ? [] : [Number(version)];
	});
}

function malformed(field: VersionHeader): FieldError {
	return { field, code: 'INVALID_FORMAT', message: 'must be * or quoted entity tags such as "3"' };
}

/** To be called while the row is locked. @throws ApiError PRECONDITION_FAILED */
export function requireVersion({ ifMatch, ifNoneMatch }: Preconditions, current: number): void {
	const context = { currentVersion: current };
	if (ifMatch !== undefined && !matches(ifMatch, current)) {
		if (ifMatch.length > 0) throw apiError('PRECONDITION_FAILED', { context });
		const message = 'If-Match has no entity tag of this record. Send its ETag.';
		throw apiError('PRECONDITION_FAILED', { message, context });
	}
	if (matches(ifNoneMatch, current)) {
		const message = 'If-None-Match matches the current version of this record.';
		throw apiError('PRECONDITION_FAILED', { message, context });
	}
}

function matches(versions: Versions, version: number): boolean {
	return versions === '*' || versions?.includes(version) === true;
}

export function versionTag(version: number): string {
	return `"${version}"`;
}

/** The entity tag of a record with data that depend on the clock; preconditions compare the version only. */
export function shownVersionTag(version: number, json: string): string {
	return `"${version}.${digestOf(json)}"`;
}

/** The entity tag of data without a version. Weak: the envelope's timestamp differs between two equal responses. */
export function contentTag(json: string): string {
	return `W/"${digestOf(json)}"`;
}

function digestOf(json: string): string {
	return createHash('sha256').update(json).digest('base64url').slice(0, 27);
}

/** Whether no tag of `If-None-Match` matches, by the weak comparison of RFC 9110 §13.1.2. */
export function noneMatch(header: string | undefined, tag: string): boolean {
	if (header === undefined) return true;
	if (header.trim() === '*') return false;
	const opaque = (text: string) => text.trim().replace(/^W\//, '');
	return !header.split(',').some((candidate) => opaque(candidate) === opaque(tag));
}

/** @throws ApiError VALIDATION_ERROR naming each server-owned field whose value differs from the stored one */
export function refuseServerOwnedChanges(sent: Readonly<Record<string, unknown>>, stored: object): void {
	const errors: FieldError[] = Object.entries(sent)
		.filter(([field, value]) => !isDeepStrictEqual(value, Reflect.get(stored, field)))
		.map(([field]) => ({
			field,
			code: 'UNKNOWN_FIELD',
			message: 'is set by the server and cannot be changed',
		}));
	refuseInvalid(errors);
}

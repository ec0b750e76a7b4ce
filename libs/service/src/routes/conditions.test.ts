import { describe, expect, test } from '@jest/globals';
import {
	contentTag,
	noneMatch,
	parsePreconditions,
	refuseServerOwnedChanges,
	shownVersionTag,
	versionTag,
} from './conditions.ts';

describe('If-Match', () => {
	const versionsIn = (header: string) => parsePreconditions({ 'if-match': header }).ifMatch;

	test.each([
		['"3"', [3]],
		[shownVersionTag(3, '{"status":"OPEN"}'), [3]],
		[`${versionTag(3)}, ${shownVersionTag(12, '{}')}`, [3, 12]],
		['W/"3"', [3]],
		['W/"3-gzip", "4;gz", "5--gzip", "6-br", W/"7:0"', [3, 4, 5, 6, 7]],
		[`W/${shownVersionTag(3, '{}').slice(0, -1)}-gzip"`, [3]],
		[contentTag('a digest is no version, also if it begins like one').replace('"', '"3-'), []],
		['"03"', []],
		['"3.", "3.ä"', []],
		['"a,b" , ,"3"', [3]],
		['"other"', []],
		[' * ', '*'],
	])('%s names the versions %j', (header, versions) => {
		expect(versionsIn(header)).toEqual(versions);
	});

	test.each(['3', "'3'", '"3', '"3"x', '"3" "4"', 'w/"3"', '', ',', '"3", *'])(
		'%s is malformed',
		(header) => {
			expect(() => versionsIn(header)).toThrow(
				expect.objectContaining({
					code: 'VALIDATION_ERROR',
					errors: [expect.objectContaining({ field: 'If-Match', code: 'INVALID_FORMAT' })],
				}),
			);
		},
	);
});

test('If-None-Match compares weakly', () => {
	expect(parsePreconditions({ 'if-none-match': 'W/"3", "4-gzip", "W/5"' }).ifNoneMatch).toEqual([3, 4]);
});

test('without headers there is no condition', () => {
	expect(parsePreconditions({})).toEqual({ ifMatch: undefined, ifNoneMatch: undefined });
});

test('derived content without a new version changes the tag', () => {
	const open = shownVersionTag(3, '{"status":"OPEN"}');
	expect(open).toBe(shownVersionTag(3, '{"status":"OPEN"}'));
	expect(noneMatch(open, shownVersionTag(3, '{"status":"CLOSED"}'))).toBe(true);
	expect(noneMatch(open, shownVersionTag(4, '{"status":"OPEN"}'))).toBe(true);
	expect(noneMatch(open, open)).toBe(false);
});

test('server-owned fields may be sent back unchanged, with keys in any order', () => {
	const stored = { id: 'a', counts: { entries: 1, waiting: [{ x: 1, y: null }] } };
	refuseServerOwnedChanges({ id: 'a', counts: { waiting: [{ y: null, x: 1 }], entries: 1 } }, stored);
	expect(() => refuseServerOwnedChanges({ id: 'b', counts: { entries: 2 } }, stored)).toThrow(
		expect.objectContaining({
			code: 'VALIDATION_ERROR',
			errors: [expect.objectContaining({ field: 'id' }), expect.objectContaining({ field: 'counts' })],
		}),
	);
});

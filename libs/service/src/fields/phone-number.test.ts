import { expect, test } from '@jest/globals';
import { phoneNumber } from './phone-number.ts';

test.each([
	['0660 1234567', '+436601234567'],
	['+43 (0)660/123 4567', '+436601234567'],
	['(0660) 123-45-67', '+436601234567'],
	['0043 660 1234567', '+436601234567'],
	['  +43\u00a0660\u2011123\u20114567 ', '+436601234567'],
	['+436601234567', '+436601234567'],
	['01/234 56 78', '+4312345678'],
	['(01) 2345678', '+4312345678'],
	['+43 (0)1 2345678', '+4312345678'],
	['02742/123-0', '+4327421230'],
	['+49 (0) 171 1234567', '+491711234567'],
	['\u202d+43\u00a0660\u202f1234567\u202c', '+436601234567'],
	['\ufeff0660_123\u221245\u00ad67', '+436601234567'],
	['+1 202 555 0123', '+12025550123'],
])('%s is stored as %s', (written, stored) => {
	expect(phoneNumber.parse(written)).toBe(stored);
	expect(phoneNumber.parse(stored)).toBe(stored);
});

// Earlier releases stored such numbers; a PUT of the unchanged record was refused.
test.each(['+491234567', '+15551234567', '+999123456', '+1234567', '+123456789012345'])(
	'%s is in E.164 and is accepted although no numbering plan allows it',
	(stored) => expect(phoneNumber.parse(stored)).toBe(stored),
);

test.each([
	'',
	' ',
	'0',
	'0660',
	'0660 123',
	'000',
	'+',
	'+431',
	'+0123456789',
	'+1234567890123456',
	'+999 123456',
	'+49 1234567',
	'1234567',
	'43 660 1234567',
	'0660 CALLME',
	'Tel. 0660 1234567',
	'+43 660 1234567 ext 5',
	'0664/1234567 DW 12',
	'0660 1234567;phone-context=+1',
	'+43 660 12345678901234',
	'0660 1234567, 0660 7654321',
	'0'.repeat(100_000),
	`0${' '.repeat(100_000)}660 1234567`,
])('%.40s is not a phone number', (written) => {
	expect(phoneNumber.safeParse(written).error?.issues.map(({ message }) => message)).toEqual([
		'must be a phone number such as 0660 1234567 or +43 660 1234567',
	]);
});

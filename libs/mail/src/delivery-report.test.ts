import { describe, expect, test } from '@jest/globals';
import { deliveryReports } from '@paddock/testing';
import { DeliveryReportError, parseDeliveryReport } from './delivery-report.ts';
import { createMessageIds, digitsOf } from './message-ids.ts';

const messageId = '<0123456789abcdef0123456789abcdef01234567@paddock.example>';
const headers = [
	'From: Paddock <office@paddock.example>',
	'To: anna.gruber@example.net',
	'Subject: =?UTF-8?Q?Nennung_best=C3=A4tigt?=',
	`Message-ID:\r\n ${messageId}`,
	'MIME-Version: 1.0',
].join('\r\n');
const mail = { headers, to: 'anna.gruber@example.net' };
const { Postfix, Exim, Exchange } = deliveryReports;

describe('a report', () => {
	test.each([
		['Postfix', Postfix(mail), '5.1.1', 'Recipient address rejected: User unknown in virtual mailbox table'],
		['Exim', Exim(mail), '5.0.0', '550 Unrouteable address'],
		['Exchange', Exchange(mail), '5.1.10', 'Recipient [address] not found by SMTP address lookup'],
	])('of %s is read, without the addresses in its reply', (_program, source, status, reply) => {
		const report = parseDeliveryReport(source);
		expect(report).toEqual({
			messageId,
			recipients: [{ addresses: [mail.to], action: 'failed', status, reply: expect.stringContaining(reply) }],
		});
		expect(JSON.stringify(report.recipients.map((one) => one.reply))).not.toContain('@');
	});

	test('names the address of the mail and the one it was forwarded to, in lower case', () => {
		const source = Postfix({ ...mail, to: 'Anna@Example.NET' }, { final: 'anna@mailbox.example' });
		const [recipient] = parseDeliveryReport(source).recipients;
		expect(recipient?.addresses).toEqual(['anna@example.net', 'anna@mailbox.example']);
	});

	test.each<[string, string]>([
		['an empty original recipient', Exim(mail).replace('Action:', 'Original-Recipient:\r\nAction:')],
		['comments without a blank', Exim(mail, { action: 'failed(expired)', status: '5.0.0(unknown user)' })],
		['an empty line before the returned headers', Postfix(mail).replace('\n\nReturn-Path', '\n$&')],
		[
			'the line of a mailbox before the returned headers',
			Postfix(mail).replace(
				'\n\nReturn-Path',
				'\n\nFrom bounces@paddock.example Fri Nov 27 09:14:01 2026\nReturn-Path',
			),
		],
	])('with %s is read', (_case, source) => {
		const { messageId: id, recipients } = parseDeliveryReport(source);
		expect([id, recipients[0]]).toEqual([
			messageId,
			expect.objectContaining({ addresses: [mail.to], action: 'failed' }),
		]);
	});

	test.each(['failed', 'delayed', 'relayed', 'delivered', 'expanded'])('has the action %s', (action) => {
		expect(parseDeliveryReport(Exim(mail, { action })).recipients[0]).toMatchObject({ action });
	});

	test('about several recipients has each of them', () => {
		const other = 'Final-Recipient: rfc822; max@example.net\nAction: Delayed\nStatus: 4.4.1 (no answer)\n\n';
		const source = Postfix(mail).replace('Final-Recipient: rfc822; anna', `${other}$&`);
		const { recipients } = parseDeliveryReport(source);
		expect(recipients.map(({ action, status, reply }) => [action, status, reply.slice(0, 9)])).toEqual([
			['delayed', '4.4.1', '4.4.1'],
			['failed', '5.1.1', '550 5.1.1'],
		]);
	});
});

const lines = (line: string, count: number) => `${line}\n`.repeat(count);

describe('a message is refused', () => {
	test.each<[string, string]>([
		['that is empty', ''],
		['of a person', 'From: anna@example.net\nSubject: Re: Nennung\n\nThank you.\n'],
		['without a media type', Postfix(mail).replace(/^Content-Type: multipart.*\n.*\n/m, '')],
		[
			'with another report',
			Postfix(mail).replace('report-type=delivery-status', 'report-type=feedback-report'),
		],
		['without a boundary', Postfix(mail).replace(/boundary=".*"/, 'x=y')],
		['with an empty boundary', Postfix(mail).replace(/boundary=".*"/, 'boundary=""')],
		['with two boundaries', Postfix(mail).replace(/boundary=".*"/, '$&; boundary=b')],
		[
			'with a boundary that is too long',
			Postfix(mail).replace(/boundary=".*"/, `boundary=${'b'.repeat(71)}`),
		],
		['without a delivery status', Postfix(mail).replace('message/delivery-status', 'text/plain')],
		['with two delivery statuses', Postfix(mail).replace('text/rfc822-headers', 'message/delivery-status')],
		['without returned headers', Postfix(mail).replace('text/rfc822-headers', 'text/plain')],
		['with encoded headers', Postfix(mail).replace(/8bit(?=\n\nReturn-Path)/, 'base64')],
		['without a Message-ID', Postfix(mail).replace(/Message-ID:\n? .*\n/, '')],
		['with two of them', Postfix(mail).replace('To: anna', 'Message-ID: <a@b>\nTo: anna')],
		['with one that is none', Exim({ ...mail, headers: 'Message-ID: a@b' })],
		[
			'with a control character in it',
			Postfix(mail).replace('4567@paddock.example>', '4567@paddock.example\0>'),
		],
		['without an address', Postfix(mail).replace('Final-Recipient', 'X-Recipient')],
		['without an action', Postfix(mail).replace('Action:', 'X-Action:')],
		['with an unknown action', Postfix(mail, { action: 'bounced' })],
		['with two statuses', Postfix(mail).replace('Action:', 'Status: 5.0.0\nAction:')],
		['with a status that is none', Postfix(mail, { status: '5.1' })],
		['with a success that failed', Postfix(mail, { status: '3.0.0' })],
		['with a line that is no field', Postfix(mail).replace('Reporting-MTA:', 'Reporting-MTA')],
		['whose first line continues', ` folded\n${Postfix(mail)}`],
		['that is cut off before the status', Postfix(mail).slice(0, Postfix(mail).indexOf('Final-Rec'))],
		[
			'with too many parts',
			`${Exim(mail).replace(/\r\n\r\n--[^\r]*--\r\n$/, '')}\n${lines('--1795767611-eximdsn-1804289383', 30)}`,
		],
		['with too many fields', Postfix(mail).replace('Return-Path', `${lines('X-A: b', 600)}Return-Path`)],
		[
			'with too many recipients',
			Postfix(mail).replace(
				'Final-Recipient',
				`${'Final-Recipient: rfc822; a@b\nAction: failed\nStatus: 5.0.0\n\n'.repeat(101)}$&`,
			),
		],
		[
			'nested in another report',
			Postfix({ ...mail, headers: 'X: y' }).replace('X: y\n', `X: y\n\n${Postfix(mail)}`),
		],
		['of blanks', ' '.repeat(262_144)],
		['of line breaks', '\n'.repeat(262_144)],
		['of quotes', `Content-Type: multipart/report${';a="'.repeat(60_000)}\n\n`],
		['of one field', `Content-Type: ${'a'.repeat(262_000)}\n\n`],
		['of continued lines', `A: b\n${lines(' c', 80_000)}`],
		['of colons', lines(':', 130_000)],
	])('%s', (_case, source) => {
		expect(() => parseDeliveryReport(source)).toThrow(DeliveryReportError);
	});

	// The same sequence in each run: whatever fails can be repeated.
	test('or read, but nothing else happens, however it was altered', () => {
		let state = 1;
		const next = (below: number): number => {
			state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
			return Math.floor((state / 2 ** 32) * below);
		};
		const inserted = [
			'\r\n\r\n',
			'--',
			';',
			'"',
			': ',
			'\0',
			'\ud800',
			' ',
			'<',
			'\n--1795767611-eximdsn-1804289383\n',
		];
		const outcomes = { read: 0, refused: 0 };
		for (let round = 0; round < 3_000; round += 1) {
			let source = [Postfix, Exim, Exchange][round % 3]?.(mail) ?? '';
			for (let change = 0; change <= next(4); change += 1) {
				const at = next(source.length);
				const end = at + next(next(4) === 0 ? 400 : 4);
				source = source.slice(0, at) + (inserted[next(inserted.length * 2)] ?? '') + source.slice(end);
			}
			try {
				const { messageId: id, recipients } = parseDeliveryReport(source);
				expect(id).toMatch(/^<[^\s<>\p{Cc}]+>$/u);
				for (const { reply } of recipients) expect(reply.length).toBeLessThanOrEqual(300);
				outcomes.read += 1;
			} catch (error) {
				if (!(error instanceof DeliveryReportError)) throw error;
				outcomes.refused += 1;
			}
		}
		expect(outcomes.read).toBeGreaterThan(100);
		expect(outcomes.refused).toBeGreaterThan(100);
	});
});

describe('a Message-ID', () => {
	const from = 'Paddock <office@paddock.example>';
	const ids = createMessageIds({ from, secret: 's'.repeat(32) });
	const id = ids.of('job', mail.to);

	test('is the same for each attempt, and signed for its recipient with the secret', () => {
		expect(ids.of('job', mail.to)).toBe(id);
		expect(id).toMatch(/^<[0-9a-f]{40}\.[0-9a-f]{32}@paddock\.example>$/);
		expect(createMessageIds({ from }).of('job', mail.to)).toMatch(/^<[0-9a-f]{40}@paddock\.example>$/);
		expect(ids.isOf(id, mail.to)).toBe(true);
	});

	test('is identified by its digits, without signature and host', () => {
		expect(id).toContain(`<${digitsOf(id)}.`);
		expect(digitsOf(id)).toMatch(/^[0-9a-f]{40}$/);
		expect(createMessageIds({ from }).of('job', mail.to)).toBe(`<${digitsOf(id)}@paddock.example>`);
	});

	test.each<[string, string, string]>([
		['another recipient', id, 'max@example.net'],
		['another mail', id.replace(/^<./, (start) => (start === '<0' ? '<1' : '<0')), mail.to],
		['another secret', createMessageIds({ from, secret: 't'.repeat(32) }).of('job', mail.to), mail.to],
		['no signature', createMessageIds({ from }).of('job', mail.to), mail.to],
		['an empty signature', id.replace(/\.[0-9a-f]+@/, '.@'), mail.to],
		['another form', '<a@b>', mail.to],
	])('with %s is not ours', (_case, given, to) => {
		expect(ids.isOf(given, to)).toBe(false);
	});

	test('is nobody’s without a secret', () => {
		expect(createMessageIds({ from }).isOf(id, mail.to)).toBe(false);
	});
});

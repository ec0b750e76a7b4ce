import { withoutAddresses } from './mailer.ts';

// 1. envelope line and headers → 2. parts of multipart/report → 3. groups of message/delivery-status → 4. Message-ID of the
// returned headers. All steps read the text once; nested messages are not opened.

const partsMax = 20;
const fieldsMax = 500;
const recipientsMax = 100;

const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const;

/** A delivery status notification (RFC 3464) about one mail. */
export interface DeliveryReport {
	/** Of the mail that it returns, with its angle brackets. */
	readonly messageId: string;
	readonly recipients: readonly ReportedRecipient[];
}

export interface ReportedRecipient {
	/** Original and final address, in lower case; a forwarding server knows the final one only. */
	readonly addresses: readonly string[];
	readonly action: (typeof actions)[number];
	/** RFC 3463: `5.1.1`. */
	readonly status: string;
	/** Reply of the server without addresses, or the status if the report has none. */
	readonly reply: string;
}

/** The text is not a delivery status notification that can be used; the message states the reason. */
export class DeliveryReportError extends Error {
	override readonly name = 'DeliveryReportError';
}

type Fields = ReadonlyMap<string, readonly string[]>;

/** @throws DeliveryReportError */
export function parseDeliveryReport(source: string): DeliveryReport {
	const lines = source.split(/\r?\n/);
	// Written by programs that deliver to pipes and mailboxes.
	if (lines[0]?.startsWith('From ')) lines.shift();
	const head = readFields(lines, 0);
	const type = mediaTypeOf(head.fields);
	if (type.name !== 'multipart/report' || type.parameters.get('report-type') !== 'delivery-status')
		throw new DeliveryReportError('The content type is not multipart/report of a delivery status.');
	const parts = partsOf(lines.slice(head.end), type.parameters.get('boundary') ?? '');
	const [status, ...otherStatus] = parts.filter(({ name }) => statusTypes.has(name));
	if (status === undefined || otherStatus.length > 0)
		throw new DeliveryReportError('One part with the delivery status is required.');
	const returned = parts.find(({ name }) => returnedTypes.has(name));
	if (returned === undefined) throw new DeliveryReportError('The returned headers are missing.');
	const messageId = only(returnedFields(returned.lines), 'message-id');
	if (!/^<[^\s<>\p{Cc}]{1,250}>$/u.test(messageId))
		throw new DeliveryReportError('The returned Message-ID is not valid.');
	return { messageId, recipients: recipientsOf(status.lines) };
}

const statusTypes: ReadonlySet<string> = new Set([
	'message/delivery-status',
	'message/global-delivery-status',
]);
const returnedTypes: ReadonlySet<string> = new Set([
	'message/rfc822',
	'text/rfc822-headers',
	'message/global',
	'message/global-headers',
]);

/** Folded fields are one line. Ends behind the empty line. */
function readFields(
	lines: readonly string[],
	start: number,
): { readonly fields: Fields; readonly end: number } {
	const texts: string[][] = [];
	let at = start;
	for (; at < lines.length && lines[at] !== ''; at += 1) {
		const line = lines[at] ?? '';
		const last = texts.at(-1);
		if (/^[ \t]/.test(line) && last !== undefined) last.push(line.trim());
		else texts.push([line]);
	}
	if (texts.length > fieldsMax) throw new DeliveryReportError('There are too many header fields.');
	const fields = new Map<string, string[]>();
	for (const text of texts) {
		const line = text.join(' ');
		const colon = line.indexOf(':');
		const name = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
		if (!/^[!-9;-~]{1,100}$/.test(name)) throw new DeliveryReportError('A header field is not valid.');
		const value = line.slice(colon + 1).trim();
		fields.set(name, [...(fields.get(name) ?? []), value]);
	}
	return { fields, end: at + 1 };
}

/** Some programs write an empty line or the one of a mailbox before them. */
function returnedFields(lines: readonly string[]): Fields {
	const start = lines.findIndex((line) => line !== '' && !/^>?From /.test(line));
	return readFields(lines, Math.max(start, 0)).fields;
}

function only(fields: Fields, name: string): string {
	const [value, ...others] = fields.get(name) ?? [];
	if (value === undefined || value === '' || others.length > 0)
		throw new DeliveryReportError(`One field ${name} is required.`);
	return value;
}

interface MediaType {
	readonly name: string;
	readonly parameters: ReadonlyMap<string, string>;
}

/** Names are in lower case, and the values of `report-type` too. `text/plain` without the field (RFC 2045 §5.2). */
function mediaTypeOf(fields: Fields): MediaType {
	const value = fields.has('content-type') ? only(fields, 'content-type') : 'text/plain';
	if (value.length > 1_000) throw new DeliveryReportError('The content type is too long.');
	const [name = ''] = value.split(';');
	const parameters = new Map<string, string>();
	for (const [, key = '', quoted, plain = ''] of value.matchAll(
		/;\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g,
	)) {
		const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
		const lower = key.toLowerCase();
		if (parameters.has(lower)) throw new DeliveryReportError('A parameter of the content type is repeated.');
		parameters.set(lower, lower === 'report-type' ? text.toLowerCase() : text);
	}
	return { name: name.trim().toLowerCase(), parameters };
}

interface Part {
	readonly name: string;
	readonly lines: readonly string[];
}

function partsOf(lines: readonly string[], boundary: string): readonly Part[] {
	// RFC 2046 §5.1.1
	if (boundary.length === 0 || boundary.length > 70)
		throw new DeliveryReportError('The boundary is not valid.');
	const delimiter = `--${boundary}`;
	const bodies: string[][] = [];
	for (const line of lines) {
		const isDelimiter = line.startsWith(delimiter);
		if (isDelimiter && line.trimEnd() === `${delimiter}--`) break;
		if (isDelimiter && line.trimEnd() === delimiter) bodies.push([]);
		else bodies.at(-1)?.push(line);
		if (bodies.length > partsMax) throw new DeliveryReportError('There are too many parts.');
	}
	return bodies.map(partOf);
}

function partOf(lines: readonly string[]): Part {
	const { fields, end } = readFields(lines, 0);
	const { name } = mediaTypeOf(fields);
	const isRead = statusTypes.has(name) || returnedTypes.has(name);
	const encoding = fields.has('content-transfer-encoding')
		? only(fields, 'content-transfer-encoding')
		: '7bit';
	// RFC 3464 §2 and RFC 6522 §4
	if (isRead && !/^(?:7bit|8bit|binary)$/i.test(encoding))
		throw new DeliveryReportError('An encoded part is not supported.');
	return { name, lines: lines.slice(end) };
}

/** The groups that name a recipient; the first one is about the message. */
function recipientsOf(lines: readonly string[]): readonly ReportedRecipient[] {
	const recipients: ReportedRecipient[] = [];
	for (let at = 0; at < lines.length; ) {
		const { fields, end } = readFields(lines, at);
		at = end;
		if (fields.has('final-recipient')) recipients.push(recipientOf(fields));
		if (recipients.length > recipientsMax) throw new DeliveryReportError('There are too many recipients.');
	}
	if (recipients.length === 0) throw new DeliveryReportError('The report is about no recipient.');
	return recipients;
}

function recipientOf(fields: Fields): ReportedRecipient {
	const final = only(fields, 'final-recipient');
	const hasOriginal = fields.get('original-recipient')?.some((value) => value !== '') ?? false;
	const original = hasOriginal ? only(fields, 'original-recipient') : final;
	const given = withoutComment(only(fields, 'action')).toLowerCase();
	const action = actions.find((one) => one === given);
	if (action === undefined) throw new DeliveryReportError('The action is not known.');
	const [status] = /^[245]\.\d{1,3}\.\d{1,3}(?!\S)/.exec(withoutComment(only(fields, 'status'))) ?? [];
	if (status === undefined) throw new DeliveryReportError('The status is not valid.');
	const [diagnostic = ''] = fields.get('diagnostic-code') ?? [];
	const reply = withoutAddresses(typed(diagnostic).text);
	return {
		addresses: [...new Set([original, final].flatMap(addressOf))],
		action,
		status,
		reply: reply === '' ? status : reply,
	};
}

/** Some programs append the meaning: `5.1.1 (unknown user)`. */
function withoutComment(value: string): string {
	const [text = ''] = value.split('(');
	return text.trim();
}

/** `rfc822; anna@example.org` → its type and text. */
function typed(value: string): { readonly type: string; readonly text: string } {
	const end = value.indexOf(';');
	return { type: value.slice(0, Math.max(end, 0)).trim().toLowerCase(), text: value.slice(end + 1).trim() };
}

function addressOf(value: string): readonly string[] {
	const { type, text } = typed(value);
	const address = text.replace(/^<(.*)>$/, '$1').toLowerCase();
	const isMail = ['rfc822', 'utf-8'].includes(type) && /^[^\s<>\p{Cc}]{1,320}$/u.test(address);
	return isMail ? [address] : [];
}

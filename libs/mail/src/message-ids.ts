import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { addressIn } from './mailer.ts';

export interface MessageIds {
	/** The same for each attempt at one job, so that a recipient's program shows a repeated mail once. */
	of(jobId: string, to: string): string;
	/** Whether this system has sent a mail with that id to the address; false without a secret. */
	isOf(messageId: string, to: string): boolean;
}

/** What identifies a mail of this system: its id without the signature, which is a secret, and the host, which is not signed. */
export function digitsOf(messageId: string): string {
	return messageId.slice(1, 41);
}

/**
 * Ids of jobs can be guessed, such as that of the mail with a new password. With a secret an id is signed together with the
 * recipient, so that only a server that received the mail can report on it.
 */
export function createMessageIds({
	from,
	secret,
}: {
	readonly from: string;
	readonly secret?: string | undefined;
}): MessageIds {
	const host = addressIn(from).split('@').at(-1) ?? 'localhost';
	const signatureOf = (key: string, id: string, to: string) =>
		createHmac('sha256', `message-id ${key}`).update(`${id} ${to}`).digest('hex').slice(0, 32);
	return {
		of: (jobId, to) => {
			const id = hash('sha256', `${jobId} ${to}`).slice(0, 40);
			return `<${secret === undefined ? id : `${id}.${signatureOf(secret, id, to)}`}@${host}>`;
		},
		isOf: (messageId, to) => {
			const [, id, signature] = /^<([0-9a-f]{40})\.([0-9a-f]{32})@[^@\s]+>$/.exec(messageId) ?? [];
			if (secret === undefined || id === undefined || signature === undefined) return false;
			return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(secret, id, to)));
		},
	};
}

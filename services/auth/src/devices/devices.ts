import { hash, randomBytes } from 'node:crypto';
import { inTransaction } from '@paddock/database';
import type { Jobs } from '@paddock/jobs';
import type { AuthDatabase, AuthSchema } from '../database-schema.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { newDeviceMail } from '../mails/notices.ts';
import { deviceName } from '../sessions/device-name.ts';
import type { PasswordSource } from '../sign-in/sign-in-subject.ts';
import { isUnchanged, type User } from '../users/store.ts';
import { deleteExcessDevices, findDevice, insertDevice, linkSession, renewDevice } from './store.ts';

/** Request header for the device token, in lower case as in Node.js. */
export const deviceTokenHeader = 'x-device-token';

const tokenBytes = 32;
const tokenFormat = /^[\w-]{43}$/;

/**
 * Devices that have signed in to an account before, identified by an opaque token (OWASP, "Slow Down Online Guessing
 * Attacks with Device Cookies"). The token grants no access; it only selects the series in which failures are counted.
 */
export interface Devices {
	/**
	 * Returns the source of a sign-in. A token that is unknown, expired or of another account yields an unknown device.
	 */
	sourceOf(claim: {
		readonly email: string;
		readonly address: string;
		/** The value of the header. */
		readonly token: string | string[] | undefined;
	}): Promise<PasswordSource>;
	/**
	 * Returns the token that the device stores after a sign-in. A known device keeps its token with an extended
	 * lifetime. Undefined if the account's status or password has changed since `user` was read.
	 */
	remember(signIn: {
		readonly user: User;
		readonly sessionId: string;
		readonly source: PasswordSource;
		readonly token: string | string[] | undefined;
		/** Header of the sign-in, which names a new device for its owner. */
		readonly userAgent: string | undefined;
	}): Promise<string | undefined>;
}

interface DevicesDeps {
	readonly db: AuthDatabase;
	readonly jobs: Pick<Jobs<AuthSchema>, 'enqueue'>;
	readonly now: () => Date;
	/**
	 * Per account. Beyond this limit, devices that signed in only once are removed first, then the one with the oldest
	 * sign-in.
	 */
	readonly devicesMax: number;
	/** Lifetime after the last sign-in. */
	readonly lifeMs: number;
}

export function createDevices({ db, jobs, now, devicesMax, lifeMs }: DevicesDeps): Devices {
	return {
		sourceOf: async ({ email, address, token }) => {
			const unknown = { kind: 'unknownDevice', email, address } as const;
			if (!isToken(token)) return unknown;
			const device = await findDevice(db, { email, tokenHash: digest(token), now: now() });
			return device === undefined ? unknown : { kind: 'knownDevice', deviceId: device.id };
		},
		remember: ({ user, sessionId, source, token, userAgent }) =>
			inTransaction(db, async (transaction) => {
				// Locks the account, so that concurrent sign-ins can't exceed `devicesMax`.
				if (!(await isUnchanged(transaction, user))) return undefined;
				const at = now();
				const signIn = { lastSignInAt: at, expiresAt: new Date(at.getTime() + lifeMs) };
				if (source.kind === 'knownDevice' && isToken(token)) {
					const { deviceId } = source;
					if (await renewDevice(transaction, { id: deviceId, ...signIn })) {
						await linkSession(transaction, { sessionId, deviceId });
						return token;
					}
				}
				const issued = randomBytes(tokenBytes).toString('base64url');
				const device = { userId: user.id, tokenHash: digest(issued), createdAt: at, ...signIn };
				const deviceId = await insertDevice(transaction, device);
				await linkSession(transaction, { sessionId, deviceId });
				await deleteExcessDevices(transaction, { userId: user.id, deviceId, devicesMax });
				// The first sign-in of an account is its owner's.
				if (user.lastLoginAt !== null) {
					const notice = { userId: user.id, device: deviceName(userAgent ?? '') };
					// Programs that never send the token would otherwise cause a mail with each sign-in.
					const key = `${user.id} ${notice.device} ${at.toISOString().slice(0, 10)}`;
					await enqueueAccountMail({ jobs, transaction }, newDeviceMail, notice, key);
				}
				return issued;
			}),
	};
}

function isToken(value: string | string[] | undefined): value is string {
	return typeof value === 'string' && tokenFormat.test(value);
}

/** SHA-256 suffices for 256 random bits. Lookup by digest leaks nothing about the token through timing. */
function digest(token: string): Buffer {
	return hash('sha256', token, 'buffer');
}

import { createHash, randomBytes } from 'node:crypto';
import { inTransaction } from '@paddock/database';
import type { AuthDatabase } from '../auth-database.ts';
import type { SignInSource } from '../sign-in/sign-in-subject.ts';
import type { User } from '../users/user.ts';
import { isUnchanged } from '../users/user-repository.ts';
import {
	deleteExcessDevices,
	findDevice,
	insertDevice,
	linkSession,
	renewDevice,
} from './device-repository.ts';

/** The request header in which a device sends its token, in lower case as Node.js has it. */
export const deviceTokenHeader = 'x-device-token';

const tokenBytes = 32;
const tokenFormat = /^[\w-]{43}$/;

/**
 * Devices that have signed in to an account before, told apart by an opaque token (OWASP, "Slow Down Online Guessing
 * Attacks with Device Cookies"). A token opens nothing; it decides only which failures an attempt counts with.
 */
export interface Devices {
	/** Where a sign-in comes from. A token of another account, an expired or unknown one is that of an unknown device. */
	sourceOf(claim: {
		readonly email: string;
		readonly address: string;
		/** The value of the header. */
		readonly token: string | string[] | undefined;
	}): Promise<SignInSource>;
	/**
	 * After a sign-in: the token that the device keeps. A known device keeps its own, for another while. Undefined when
	 * status or password are no longer as they were in `user`.
	 */
	remember(signIn: {
		readonly user: User;
		readonly sessionId: string;
		readonly source: SignInSource;
		readonly token: string | string[] | undefined;
	}): Promise<string | undefined>;
}

export interface DevicesDeps {
	readonly db: AuthDatabase;
	readonly now: () => Date;
	/** Per account; beyond it those that never came back are forgotten first, then the one that signed in longest ago. */
	readonly devicesMax: number;
	/** Since its last sign-in. */
	readonly lifeMs: number;
}

export function createDevices({ db, now, devicesMax, lifeMs }: DevicesDeps): Devices {
	return {
		sourceOf: async ({ email, address, token }) => {
			const unknown = { kind: 'unknownDevice', email, address } as const;
			if (!isToken(token)) return unknown;
			const device = await findDevice(db, { email, tokenHash: digest(token), now: now() });
			return device === undefined ? unknown : { kind: 'knownDevice', deviceId: device.id };
		},
		remember: ({ user, sessionId, source, token }) =>
			inTransaction(db, async (transaction) => {
				// Locks the account, so that concurrent sign-ins can't exceed `devicesMax`.
				if (!(await isUnchanged(transaction, user))) return undefined;
				const at = now();
				const expiresAt = new Date(at.getTime() + lifeMs);
				if (source.kind === 'knownDevice' && isToken(token)) {
					const device = { id: source.deviceId, now: at, expiresAt };
					if (await renewDevice(transaction, device)) {
						await linkSession(transaction, { sessionId, deviceId: device.id });
						return token;
					}
				}
				const issued = randomBytes(tokenBytes).toString('base64url');
				const device = { userId: user.id, tokenHash: digest(issued), now: at, expiresAt };
				const deviceId = await insertDevice(transaction, device);
				await linkSession(transaction, { sessionId, deviceId });
				await deleteExcessDevices(transaction, { userId: user.id, deviceId, devicesMax });
				return issued;
			}),
	};
}

function isToken(value: string | string[] | undefined): value is string {
	return typeof value === 'string' && tokenFormat.test(value);
}

/** 256 random bits need nothing slower; found by its digest, so no comparison discloses a part of a token by its time. */
function digest(token: string): Buffer {
	return createHash('sha256').update(token).digest();
}

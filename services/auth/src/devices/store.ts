import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';

/** Finds the unexpired device with this token that has signed in to the account with this e-mail address. */
export async function findDevice(
	db: AuthQueryable,
	device: { readonly email: string; readonly tokenHash: Buffer; readonly now: Date },
): Promise<{ readonly id: string } | undefined> {
	return db
		.selectFrom('devices')
		.innerJoin('users', 'users.id', 'devices.userId')
		.select('devices.id')
		.where('devices.tokenHash', '=', device.tokenHash)
		.where('devices.expiresAt', '>', device.now)
		.where('users.email', '=', device.email)
		.executeTakeFirst();
}

export async function insertDevice(
	db: AuthQueryable,
	device: {
		readonly userId: string;
		readonly tokenHash: Buffer;
		readonly createdAt: Date;
		readonly lastSignInAt: Date;
		readonly expiresAt: Date;
	},
): Promise<string> {
	const row = await db.insertInto('devices').values(device).returning('id').executeTakeFirstOrThrow();
	return row.id;
}

/**
 * Records another sign-in and extends the expiry.
 * @returns false if the device has been removed since it was found
 */
export async function renewDevice(
	db: AuthQueryable,
	{ id, ...renewed }: { readonly id: string; readonly lastSignInAt: Date; readonly expiresAt: Date },
): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('devices')
		.set(renewed)
		.where('id', '=', id)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function linkSession(
	db: AuthQueryable,
	link: { readonly sessionId: string; readonly deviceId: string },
): Promise<void> {
	const { sessionId, deviceId } = link;
	await db.updateTable('sessions').set({ deviceId }).where('id', '=', sessionId).execute();
}

/**
 * Removes devices beyond `devicesMax`. Keeps the current device first, then those with more than one sign-in, then the
 * others, each by latest sign-in: a client with the password can add any number of new devices, which must not displace
 * those in use.
 */
export async function deleteExcessDevices(
	db: AuthQueryable,
	{ userId, deviceId, devicesMax }: { userId: string; deviceId: string; devicesMax: number },
): Promise<void> {
	await db
		.deleteFrom('devices')
		.where('id', 'in', (from) =>
			from
				.selectFrom('devices')
				.select('id')
				.where('userId', '=', userId)
				.orderBy(sql`id = ${deviceId}`, 'desc')
				.orderBy(sql`last_sign_in_at > created_at`, 'desc')
				.orderBy('lastSignInAt', 'desc')
				.orderBy('createdAt', 'desc')
				.orderBy('id')
				.offset(devicesMax),
		)
		.execute();
}

/** Removes the devices of an account except the one on which this session was opened. */
export async function deleteDevicesOf(
	db: AuthQueryable,
	userId: string,
	exceptOfSession?: string,
): Promise<void> {
	let devices = db.deleteFrom('devices').where('userId', '=', userId);
	if (exceptOfSession !== undefined) {
		devices = devices.where((where) =>
			where.not(
				where.exists(
					where
						.selectFrom('sessions')
						.select('sessions.id')
						.where('sessions.id', '=', exceptOfSession)
						.whereRef('sessions.deviceId', '=', 'devices.id'),
				),
			),
		);
	}
	await devices.execute();
}

export async function deleteExpiredDevices(db: AuthQueryable, now: Date): Promise<void> {
	await db.deleteFrom('devices').where('expiresAt', '<=', now).execute();
}

import { sql } from 'kysely';
import type { AuthQueryable } from '../auth-database.ts';

/** Finds the unexpired device with this token that has signed in to the account with this e-mail address. */
export async function findDevice(
	db: AuthQueryable,
	device: { readonly email: string; readonly tokenHash: Buffer; readonly now: Date },
): Promise<{ readonly id: string } | undefined> {
	return db
		.selectFrom('devices')
		.innerJoin('users', 'users.id', 'devices.user_id')
		.select('devices.id')
		.where('devices.token_hash', '=', device.tokenHash)
		.where('devices.expires_at', '>', device.now)
		.where('users.email', '=', device.email)
		.executeTakeFirst();
}

export async function insertDevice(
	db: AuthQueryable,
	device: {
		readonly userId: string;
		readonly tokenHash: Buffer;
		readonly now: Date;
		readonly expiresAt: Date;
	},
): Promise<string> {
	const row = await db
		.insertInto('devices')
		.values({
			user_id: device.userId,
			token_hash: device.tokenHash,
			created_at: device.now,
			last_sign_in_at: device.now,
			expires_at: device.expiresAt,
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	return row.id;
}

/**
 * Records another sign-in and extends the expiry.
 * @returns false if the device has been removed since it was found
 */
export async function renewDevice(
	db: AuthQueryable,
	device: { readonly id: string; readonly now: Date; readonly expiresAt: Date },
): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('devices')
		.set({ last_sign_in_at: device.now, expires_at: device.expiresAt })
		.where('id', '=', device.id)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function linkSession(
	db: AuthQueryable,
	link: { readonly sessionId: string; readonly deviceId: string },
): Promise<void> {
	await db
		.updateTable('sessions')
		.set({ device_id: link.deviceId })
		.where('id', '=', link.sessionId)
		.execute();
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
				.where('user_id', '=', userId)
				.orderBy(sql`id = ${deviceId}`, 'desc')
				.orderBy(sql`last_sign_in_at > created_at`, 'desc')
				.orderBy('last_sign_in_at', 'desc')
				.orderBy('created_at', 'desc')
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
	let devices = db.deleteFrom('devices').where('user_id', '=', userId);
	if (exceptOfSession !== undefined) {
		devices = devices.where((where) =>
			where.not(
				where.exists(
					where
						.selectFrom('sessions')
						.select('sessions.id')
						.where('sessions.id', '=', exceptOfSession)
						.whereRef('sessions.device_id', '=', 'devices.id'),
				),
			),
		);
	}
	await devices.execute();
}

export async function deleteExpiredDevices(db: AuthQueryable, now: Date): Promise<void> {
	await db.deleteFrom('devices').where('expires_at', '<=', now).execute();
}

import { createDatabase, seed, withClient } from '@paddock/database';
import type { generateSigningKey } from '@paddock/identity';
import { silentLogger } from '@paddock/telemetry';
import type { AuthSchema } from '../../services/auth/src/database-schema.ts';
import { insertSigningKey } from '../../services/auth/src/keys/store.ts';
import { migrations as authMigrations } from '../../services/auth/src/migrations.ts';
import { searchTextOf } from '../../services/auth/src/users/store.ts';
import type { MasterdataSchema } from '../../services/masterdata/src/database-schema.ts';
import { migrations as masterdataMigrations } from '../../services/masterdata/src/migrations.ts';
import { seedSets } from '../../services/masterdata/src/seed.ts';
import { venueRow } from '../../services/masterdata/src/venues/store.ts';
import { copyRows, fillDatabase } from './copy-rows.ts';
import { choicesFor, inventedId } from './random-choice.ts';
import type { RegistrySize } from './registry-size.ts';
import { inventedMember } from './seed-members.ts';

const now = new Date();
const dayMs = 86_400_000;

/** Fills a new database with accounts of each second member. */
export async function seedUsers(url: string, size: RegistrySize): Promise<void> {
	await fillDatabase(url, authMigrations, (client) =>
		copyRows(client, 'users', size.users, (index) => userOf(index, size)),
	);
}

/** Stores the key that signs the tokens of the measurement, as if auth had made it. */
export async function storeSigningKey(
	url: string,
	key: Awaited<ReturnType<typeof generateSigningKey>>,
): Promise<void> {
	const db = createDatabase<AuthSchema>({ url, applicationName: 'bench', logger: silentLogger() });
	const times = { createdAt: now, signsFrom: new Date(now.getTime() - 3_600_000) };
	await db.deleteFrom('signingKeys').execute();
	await insertSigningKey(db, undefined, { ...key, ...times }).finally(() => db.destroy());
}

/** Stores the session of a caller with its roles, as auth checks both for accounts. */
export async function storeSession(
	url: string,
	{
		userId,
		sessionId,
		roles,
	}: { readonly userId: string; readonly sessionId: string; readonly roles: readonly string[] },
): Promise<void> {
	await withClient(url, async (client) => {
		await client.query(`update users set roles = $2, status = 'ACTIVE' where id = $1`, [userId, roles]);
		await client.query(
			`insert into sessions (id, user_id, created_at, expires_at) values ($1, $2, $3, $4)
			on conflict (id) do update set expires_at = excluded.expires_at`,
			[sessionId, userId, now, new Date(now.getTime() + dayMs)],
		);
	});
}

function userOf(index: number, size: RegistrySize) {
	const { id: memberId, firstName, lastName } = inventedMember(index * 2, size);
	const random = choicesFor('user', index);
	const email = `user${index}@example.org`;
	const createdAt = new Date(now.getTime() - random.integer(1_500) * dayMs - random.integer(dayMs));
	const isOfficial = index % 100 === 0;
	return {
		id: inventedId('user', index),
		email,
		passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$bm90LWEtcGFzc3dvcmQ$bm90LWEtcGFzc3dvcmQtaGFzaC1hdC1hbGw',
		firstName,
		lastName,
		phoneNumber: null,
		locale: 'de-AT',
		roles: isOfficial ? ['MEMBER', 'CLUB_OFFICIAL'] : ['MEMBER'],
		roleScopes: JSON.stringify(
			isOfficial ? { CLUB_OFFICIAL: { clubIds: [inventedId('club', (index * 2) % size.clubs)] } } : {},
		),
		memberId,
		status: random.integer(50) === 0 ? 'LOCKED' : 'ACTIVE',
		searchText: searchTextOf({ firstName, lastName, email }),
		lastLoginAt: random.integer(3) === 0 ? null : createdAt,
		passwordChangedAt: createdAt,
		createdAt,
		updatedAt: createdAt,
	};
}

/** Fills a new database with the master data of every installation, and with venues and their arenas. */
export async function seedVenues(url: string, size: RegistrySize): Promise<void> {
	await fillDatabase(url, masterdataMigrations, async (client) => {
		const db = createDatabase<MasterdataSchema>({ url, applicationName: 'bench', logger: silentLogger() });
		await seed(db, seedSets, silentLogger()).finally(() => db.destroy());
		await copyRows(client, 'venues', size.venues, venueOf);
		await copyRows(client, 'arenas', size.venues, (index) =>
			['Halle', 'Nordplatz', 'Abreiteplatz'].map((name) => ({
				venueId: inventedId('venue', index),
				name,
				type: name === 'Abreiteplatz' ? 'WARM_UP' : 'COMPETITION',
				surface: 'SAND',
				indoor: name === 'Halle',
				floodlit: true,
			})),
		);
	});
}

function venueOf(index: number) {
	const body = {
		name: `Reitanlage ${index}`,
		address: { street: null, postalCode: null, city: `Musterort ${index % 500}` },
		countryCode: 'AT',
		stateCode: `AT-${1 + (index % 9)}`,
		latitude: null,
		longitude: null,
		timeZone: 'Europe/Vienna',
		website: null,
		stableBoxes: index % 100,
		isActive: index % 20 !== 0,
	};
	return { ...venueRow(body), id: inventedId('venue', index) };
}

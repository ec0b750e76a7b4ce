import type { Database } from '@paddock/database';
import { type Principal, requireActingMember } from '@paddock/identity';
import type { CountryCodes, OpenEntries } from '@paddock/peers';
import { type Call, routesWith, updatesWith } from '@paddock/service';
import type { HorsesSchema } from './database-schema.ts';
import { horse } from './horses/schemas.ts';
import type { MailJobs } from './ownership/transfer-mails.ts';
import type { MemberDirectory } from './peers/member-directory.ts';

export interface HorsesDeps {
	readonly db: Database<HorsesSchema>;
	readonly directory: MemberDirectory;
	readonly countries: CountryCodes;
	readonly jobs: MailJobs;
	/** Undefined in a deployment without events. */
	readonly openEntries: OpenEntries | undefined;
}

export const route = routesWith<HorsesDeps>('horses', requireActive);

export const update = updatesWith<HorsesDeps>('horses', requireActive);

async function requireActive(call: Call, { directory }: HorsesDeps): Promise<Principal> {
	return (await requireActingMember(call, directory.members)).principal;
}

export const path = '/api/horses';

/** Revalidated each time: view and names of the parents change without a new version. */
export const recordCacheControl = 'private, no-cache';

/** Roles that may register and change horses; each handler checks for which horses. */
export const entrustedRoles = { roles: ['MEMBER', 'CLUB_OFFICIAL', 'FEDERATION_OFFICER', 'ADMIN'] } as const;

export const horseChange = {
	method: 'post',
	output: horse,
	etag: 'shownVersion',
	precondition: true,
} as const;

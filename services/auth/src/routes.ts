import { personRoutes, type ReferenceCounts, referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import { sql } from 'kysely';
import type { AuthSchema } from './database-schema.ts';
import type { AuthDeps } from './deps.ts';
import { emailChangeRoutes } from './email-change/routes.ts';
import { identityRoutes } from './identities/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { mailRoutes } from './mails/routes.ts';
import { memberLinkRoutes } from './member-links/routes.ts';
import { passwordLengthMinDefault } from './passwords/password-hash.ts';
import { personalData } from './personal-data.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { recoveryRoutes } from './recovery/routes.ts';
import { revocationRoutes } from './revocations/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { secondFactorSignInRoutes } from './second-factor/sign-in-routes.ts';
import { stepUpRoutes } from './second-factor/step-up-routes.ts';
import { serviceTokenRoutes } from './service-tokens/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { profileRoutes } from './users/profile-routes.ts';
import { userRoutes } from './users/routes.ts';
import { verificationRoutes } from './verification/routes.ts';

export const referenceCounts: ReferenceCounts = {
	COUNTRY: 'none',
	STATE: 'none',
	VENUE: 'none',
	ARENA: 'none',
	AGE_CLASS: 'none',
	/** Accounts, closed ones included, with a role whose scope includes the club. */
	CLUB: ({ id }) => sql`(select count(*) from users
		where jsonb_path_exists(role_scopes, '$.*.clubIds[*] ? (@ == $id)', jsonb_build_object('id', ${id}::text)))`,
};

/** The routes with the default settings, as documented. */
export const authRoutes = routesFor(passwordLengthMinDefault);

/** Returns the routes for the configured minimum password length, in code points. */
export function authRoutesFor(settings: { readonly passwordLengthMin: number }): readonly Route<AuthDeps>[] {
	const { passwordLengthMin } = settings;
	// Their schemas take a part of the start to build.
	return passwordLengthMin === passwordLengthMinDefault ? authRoutes : routesFor(passwordLengthMin);
}

function routesFor(passwordLengthMin: number): readonly Route<AuthDeps>[] {
	return [
		...signInRoutes(passwordLengthMin),
		...verificationRoutes,
		...recoveryRoutes(passwordLengthMin),
		...secondFactorSignInRoutes,
		...identityRoutes,
		...stepUpRoutes,
		...secondFactorRoutes,
		...profileRoutes(passwordLengthMin),
		...emailChangeRoutes,
		...sessionRoutes,
		...userRoutes,
		...memberLinkRoutes,
		...privacyRoutes,
		...keyRoutes,
		...serviceTokenRoutes,
		referencesRoute<AuthDeps>(referenceCounts),
		...personRoutes<AuthSchema, AuthDeps>(personalData),
		...revocationRoutes,
		...mailRoutes,
	];
}

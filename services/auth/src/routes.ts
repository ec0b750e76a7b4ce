import { referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import type { AuthDeps } from './deps.ts';
import { keyRoutes } from './keys/routes.ts';
import { passwordLengthMinDefault } from './passwords/password-defaults.ts';
import { referenceCounts } from './reference-counts.ts';
import { revocationRoutes } from './revocations/routes.ts';
import { serviceTokenRoutes } from './service-tokens/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { profileRoutes } from './users/profile-routes.ts';
import { userRoutes } from './users/routes.ts';

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
		...profileRoutes(passwordLengthMin),
		...userRoutes,
		...keyRoutes,
		...serviceTokenRoutes,
		referencesRoute<AuthDeps>(referenceCounts),
		...revocationRoutes,
	];
}

import { referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import type { AuthDeps } from './deps.ts';
import { passwordLengthMinDefault } from './passwords/password-defaults.ts';
import { referenceCounts } from './references/reference-counts.ts';
import { keyRoutes } from './routes/keys.ts';
import { profileRoutes } from './routes/profile.ts';
import { revocationRoutes } from './routes/revocations.ts';
import { serviceTokenRoutes } from './routes/service-tokens.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { userRoutes } from './routes/users.ts';

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

import { defineMail } from '@paddock/mail';

interface Link {
	/** With a token, if any, behind `#`, which no server and no log receives. */
	readonly path: string;
}

const security = { category: 'SECURITY', canBeSwitchedOff: false } as const;
const newPassword = { path: '/app/forgot-password' };

interface IdentityLink extends Link {
	readonly issuer: string;
}

const issuer = 'https://id.example.org';

export const linkIdentity = defineMail<IdentityLink>({
	...security,
	name: 'link-identity',
	example: { path: '/app/link-identity#token=o1Y3pXQp1cXo7mJwq0sG1rJm2y3cQb4yqGJm8n9sYtE', issuer },
	de: ({ path, issuer: from }) => ({
		subject: 'Anmeldung mit einem anderen Konto bestätigen',
		parts: [
			`jemand hat sich bei ${from} mit Ihrer E-Mail-Adresse angemeldet und möchte damit auf Ihr Konto zugreifen. Wenn Sie das sind, bestätigen Sie es im selben Browser. Der Link gilt 30 Minuten und nur einmal.`,
			{ link: { path, text: 'Anmeldung verbinden' } },
			'Wenn Sie das nicht sind, bestätigen Sie nicht: Wer bestätigt wird, kann Ihr Konto benutzen.',
		],
	}),
	en: ({ path, issuer: from }) => ({
		subject: 'Confirm the sign-in with another account',
		parts: [
			`Somebody has signed in at ${from} with your e-mail address and wants to use your account with it. If it is you, confirm it in the same browser. The link is valid for 30 minutes, and once.`,
			{ link: { path, text: 'Connect the sign-in' } },
			'If it is not you, do not confirm: whoever is confirmed can use your account.',
		],
	}),
});

export const identityLinked = defineMail<IdentityLink>({
	...security,
	name: 'identity-linked',
	example: { ...newPassword, issuer },
	de: ({ path, issuer: from }) => ({
		subject: 'Eine weitere Anmeldung gehört jetzt zu Ihrem Konto',
		parts: [
			`Sie können sich jetzt auch mit ${from} anmelden.`,
			'Wenn Sie das nicht waren, setzen Sie sofort ein neues Passwort, entfernen Sie die Anmeldung in Ihrem Konto, und verständigen Sie den Verband:',
			{ link: { path, text: 'Neues Passwort' } },
		],
	}),
	en: ({ path, issuer: from }) => ({
		subject: 'Another sign-in belongs to your account',
		parts: [
			`You can now sign in with ${from} as well.`,
			'If it was not you, set a new password at once, remove the sign-in from your account, and tell the federation:',
			{ link: { path, text: 'New password' } },
		],
	}),
});

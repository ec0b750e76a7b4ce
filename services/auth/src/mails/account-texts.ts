import { defineMail } from '@paddock/mail';

interface Link {
	/** With the token behind `#`, which no server and no log receives. */
	readonly path: string;
}

const example = { path: '/app/verify#token=o1Y3pXQp1cXo7mJwq0sG1rJm2y3cQb4yqGJm8n9sYtE' };
const security = { category: 'SECURITY', canBeSwitchedOff: false } as const;

export const verifyEmail = defineMail<Link>({
	...security,
	name: 'verify-email',
	example,
	de: ({ path }) => ({
		subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
		parts: [
			'mit dieser Adresse wurde ein Konto angelegt. Bitte bestätigen Sie, dass die Adresse Ihnen gehört. Der Link gilt 24 Stunden und nur einmal.',
			{ link: { path, text: 'Adresse bestätigen' } },
			'Wenn Sie kein Konto angelegt haben, brauchen Sie nichts zu tun: Ohne Bestätigung wird es gelöscht.',
		],
	}),
	en: ({ path }) => ({
		subject: 'Please confirm your e-mail address',
		parts: [
			'An account was created with this address. Please confirm that the address is yours. The link is valid for 24 hours, and once.',
			{ link: { path, text: 'Confirm the address' } },
			'If you have not created an account, you need not do anything: without a confirmation it will be deleted.',
		],
	}),
});

export const alreadyRegistered = defineMail<Link>({
	...security,
	name: 'already-registered',
	example: { path: '/app/forgot-password' },
	de: ({ path }) => ({
		subject: 'Sie haben bereits ein Konto',
		parts: [
			'jemand wollte mit dieser Adresse ein Konto anlegen; Sie haben aber schon eines. Es wurde nichts geändert.',
			'Wenn Sie es waren, melden Sie sich mit Ihrem Passwort an, oder setzen Sie ein neues:',
			{ link: { path, text: 'Neues Passwort' } },
		],
	}),
	en: ({ path }) => ({
		subject: 'You already have an account',
		parts: [
			'A registration with this address was tried, but you already have an account. Nothing was changed.',
			'If it was you, sign in with your password, or set a new one:',
			{ link: { path, text: 'New password' } },
		],
	}),
});

export const resetPassword = defineMail<Link>({
	...security,
	name: 'reset-password',
	example: { path: example.path.replace('verify', 'reset-password') },
	de: ({ path }) => ({
		subject: 'Neues Passwort',
		parts: [
			'für Ihr Konto wurde ein neues Passwort angefordert. Der Link gilt 30 Minuten und nur einmal.',
			{ link: { path, text: 'Neues Passwort setzen' } },
			'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort gilt weiter.',
		],
	}),
	en: ({ path }) => ({
		subject: 'New password',
		parts: [
			'A new password was requested for your account. The link is valid for 30 minutes, and once.',
			{ link: { path, text: 'Set a new password' } },
			'If it was not you, you need not do anything: your password stays valid.',
		],
	}),
});

export const passwordChanged = defineMail<Link>({
	...security,
	name: 'password-changed',
	example: { path: '/app/forgot-password' },
	de: ({ path }) => ({
		subject: 'Ihr Passwort wurde geändert',
		parts: [
			'das Passwort Ihres Kontos wurde geändert. Andere Geräte wurden abgemeldet.',
			'Wenn Sie das nicht waren, setzen Sie sofort ein neues Passwort, und verständigen Sie den Verband:',
			{ link: { path, text: 'Neues Passwort' } },
		],
	}),
	en: ({ path }) => ({
		subject: 'Your password was changed',
		parts: [
			'The password of your account was changed. Other devices were signed out.',
			'If it was not you, set a new password at once, and tell the federation:',
			{ link: { path, text: 'New password' } },
		],
	}),
});

export const invitation = defineMail<Link>({
	...security,
	name: 'invitation',
	example: { path: example.path.replace('verify', 'reset-password') },
	de: ({ path }) => ({
		subject: 'Ihr Konto beim Verband',
		parts: [
			'der Verband hat ein Konto für Sie angelegt. Bitte setzen Sie ein Passwort; der Link gilt sieben Tage und nur einmal.',
			{ link: { path, text: 'Passwort setzen' } },
		],
	}),
	en: ({ path }) => ({
		subject: 'Your account at the federation',
		parts: [
			'The federation has created an account for you. Please set a password; the link is valid for seven days, and once.',
			{ link: { path, text: 'Set a password' } },
		],
	}),
});

interface AddressLink extends Link {
	readonly newEmail: string;
}

const addressExample = { ...example, newEmail: 'anna.gruber@example.org' };

export const leaveEmail = defineMail<AddressLink>({
	...security,
	name: 'leave-email',
	example: addressExample,
	de: ({ path, newEmail }) => ({
		subject: 'Ihre E-Mail-Adresse soll geändert werden',
		parts: [
			`die Adresse Ihres Kontos soll auf ${newEmail} geändert werden. Bitte bestätigen Sie das hier und an der neuen Adresse. Der Link gilt 24 Stunden und nur einmal.`,
			{ link: { path, text: 'Änderung bestätigen' } },
			'Wenn Sie das nicht waren, bestätigen Sie nicht, und ändern Sie Ihr Passwort: Jemand kennt es.',
		],
	}),
	en: ({ path, newEmail }) => ({
		subject: 'Your e-mail address is about to change',
		parts: [
			`The address of your account is to be changed to ${newEmail}. Please confirm that here and at the new address. The link is valid for 24 hours, and once.`,
			{ link: { path, text: 'Confirm the change' } },
			'If it was not you, do not confirm, and change your password: another person knows it.',
		],
	}),
});

export const enterEmail = defineMail<Link>({
	...security,
	name: 'enter-email',
	example,
	de: ({ path }) => ({
		subject: 'Bitte bestätigen Sie Ihre neue E-Mail-Adresse',
		parts: [
			'dies soll die neue Adresse eines Kontos werden. Bitte bestätigen Sie, dass sie Ihnen gehört. Der Link gilt 24 Stunden und nur einmal.',
			{ link: { path, text: 'Adresse bestätigen' } },
			'Wenn Sie das nicht waren, brauchen Sie nichts zu tun.',
		],
	}),
	en: ({ path }) => ({
		subject: 'Please confirm your new e-mail address',
		parts: [
			'This is to be the new address of an account. Please confirm that it is yours. The link is valid for 24 hours, and once.',
			{ link: { path, text: 'Confirm the address' } },
			'If it was not you, you need not do anything.',
		],
	}),
});

export const emailChanged = defineMail<{ readonly newEmail: string }>({
	...security,
	name: 'email-changed',
	example: { newEmail: addressExample.newEmail },
	de: ({ newEmail }) => ({
		subject: 'Ihre E-Mail-Adresse wurde geändert',
		parts: [
			`die Adresse Ihres Kontos ist jetzt ${newEmail}. An diese Adresse kommen keine Nachrichten mehr.`,
			'Wenn Sie das nicht waren, verständigen Sie sofort den Verband.',
		],
	}),
	en: ({ newEmail }) => ({
		subject: 'Your e-mail address was changed',
		parts: [
			`The address of your account is now ${newEmail}. No further messages will be sent to this address.`,
			'If it was not you, tell the federation at once.',
		],
	}),
});

export const sessionStolen = defineMail<Link>({
	...security,
	name: 'session-ended',
	example: { path: '/app/forgot-password' },
	de: ({ path }) => ({
		subject: 'Eine Anmeldung wurde beendet',
		parts: [
			'ein Zugang zu Ihrem Konto wurde zweimal verwendet. Vielleicht hat ihn jemand kopiert; die Anmeldung wurde deshalb beendet.',
			'Melden Sie sich neu an. Wenn das öfter geschieht, setzen Sie ein neues Passwort:',
			{ link: { path, text: 'Neues Passwort' } },
		],
	}),
	en: ({ path }) => ({
		subject: 'A session was ended',
		parts: [
			'A session key of your account was used twice. It may have been copied, so the session was ended.',
			'Sign in again. If this happens more often, set a new password:',
			{ link: { path, text: 'New password' } },
		],
	}),
});

import { type ComponentType, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { LinkIdentityPage } from './external-sign-in.ts';
import { chooseLanguage, language, t } from './language.ts';
import { later } from './loaded.ts';
import { go, page } from './navigation.ts';
import { ForgotPasswordPage, ResetPasswordPage } from './password-pages.ts';
import { RegisterPage } from './register-page.ts';
import { signOut, signOutFailed, start, state, user } from './session.ts';
import { SignInPage } from './sign-in-page.ts';
import { StepUpDialog } from './step-up-dialog.ts';
import type { texts } from './texts.ts';
import { ChangeEmailPage, VerifyPage } from './verify-pages.ts';

interface Page {
	readonly title: keyof typeof texts;
	readonly show: ComponentType;
	/** Whether it needs an account; otherwise signed-out visitors see it too. */
	readonly signedIn?: true;
}

const pages: Readonly<Record<string, Page>> = {
	'sign-in': { title: 'signIn', show: SignInPage },
	register: { title: 'register', show: RegisterPage },
	verify: { title: 'verifyAddress', show: VerifyPage },
	'forgot-password': { title: 'forgotPassword', show: ForgotPasswordPage },
	'reset-password': { title: 'newPassword', show: ResetPasswordPage },
	'change-email': { title: 'changeAddress', show: ChangeEmailPage },
	'link-identity': { title: 'linkIdentity', show: LinkIdentityPage },
	'privacy/export': {
		title: 'exportTitle',
		show: later(async () => (await import('./privacy-pages.ts')).ExportPage),
	},
	profile: {
		title: 'profile',
		show: later(async () => (await import('./profile-page.ts')).ProfilePage),
		signedIn: true,
	},
	security: {
		title: 'security',
		show: later(async () => (await import('./security-page.ts')).SecurityPage),
		signedIn: true,
	},
	members: {
		title: 'members',
		show: later(async () => (await import('./members-page.ts')).MembersPage),
		signedIn: true,
	},
	privacy: {
		title: 'privacy',
		show: later(async () => (await import('./privacy-pages.ts')).PrivacyPage),
		signedIn: true,
	},
};
const ofAccount = Object.entries(pages).filter(([, { signedIn }]) => signedIn);

/** All of the window: head, the page of the address, foot. */
export function Frame() {
	const shown = pages[page.value];
	const title = shown === undefined ? t('account') : t(shown.title);
	useEffect(() => {
		document.title = `${title} · Paddock`;
	}, [title]);
	useEffect(() => {
		if (state.value === 'in' && (page.value === '' || page.value === 'sign-in'))
			go('profile', { replace: true });
		if (state.value === 'out' && page.value === '') go('sign-in', { replace: true });
	}, [state.value, page.value]);
	return [
		h('a', { class: 'skip', href: '#main' }, t('skip')),
		h(Head, {}),
		h(
			'main',
			{ id: 'main', class: 'content narrow', tabIndex: -1 },
			signOutFailed.value !== '' && h(StillSignedIn, {}),
			h(Content, { shown, title }),
		),
		h(
			'footer',
			{ class: 'wide' },
			h(
				'p',
				{},
				`Paddock ${document.body.dataset['version'] ?? ''}`,
				' · ',
				h('a', { href: '/' }, t('forDevelopers')),
			),
		),
		h(StepUpDialog, {}),
	];
}

function Content({ shown, title }: { readonly shown: Page | undefined; readonly title: string }) {
	if (state.value === 'starting') return h('p', { class: 'muted', role: 'status' }, t('loading'));
	if (state.value === 'lost')
		return h(
			'div',
			{ role: 'alert', class: 'stack' },
			h('p', { class: 'note', 'data-error': true }, t('networkFailed')),
			h('button', { type: 'button', class: 'button', onClick: () => void start() }, t('tryAgain')),
		);
	const needsAccount = shown?.signedIn === true && state.value === 'out';
	const { show } = needsAccount ? { show: SignInPage } : (shown ?? { show: undefined });
	return [
		h('h1', { tabIndex: -1 }, needsAccount ? t('signIn') : title),
		// A page keeps nothing of the one before.
		show !== undefined && h(show, { key: page.value }),
	];
}

function StillSignedIn() {
	return h(
		'div',
		{ role: 'alert', class: 'stack' },
		h('p', { class: 'note', 'data-error': true }, `${t('stillSignedIn')} ${signOutFailed.value}`),
		h('button', { type: 'button', class: 'button', onClick: () => void signOut() }, t('signOutAgain')),
	);
}

function Head() {
	const isIn = state.value === 'in';
	const other = language.value === 'de' ? 'en' : 'de';
	return h(
		'header',
		{ class: 'top' },
		h(
			'div',
			{ class: 'wide top-row' },
			h('a', { class: 'brand', href: '/app' }, h(Mark, {}), 'Paddock'),
			h(
				'div',
				{ class: 'top-right' },
				isIn && h('span', { class: 'muted who' }, user.value?.email),
				h(
					'button',
					{ type: 'button', class: 'button quiet', lang: other, onClick: () => chooseLanguage(other) },
					other === 'de' ? 'Deutsch' : 'English',
				),
				isIn &&
					h('button', { type: 'button', class: 'button quiet', onClick: () => void signOut() }, t('signOut')),
			),
			isIn &&
				h(
					'nav',
					{ 'aria-label': t('pages') },
					h(
						'ul',
						{},
						ofAccount.map(([path, { title }]) =>
							h(
								'li',
								{},
								h(
									'a',
									{ href: `/app/${path}`, 'aria-current': page.value === path ? 'page' : undefined },
									t(title),
								),
							),
						),
					),
				),
		),
	);
}

function Mark() {
	return h(
		'svg',
		{ class: 'mark', viewBox: '0 0 24 24', 'aria-hidden': true },
		h('path', {
			...{ fill: 'none', stroke: 'currentColor', 'stroke-width': '2.2', 'stroke-linecap': 'round' },
			d: 'M4 4v17M12 4v17M20 4v17M2 9h20M2 15h20',
		}),
	);
}

import type { components } from '@paddock/client';
import { useSignal } from '@preact/signals';
import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { CodeField, Form, type Values } from './form.ts';
import { t } from './language.ts';
import { Loaded } from './loaded.ts';

type Totp = components['schemas']['TotpEnrolment'];

interface EnrolProps {
	readonly begin: () => Promise<Totp>;
	readonly confirm: (code: string) => Promise<void>;
}

/** The QR code of a new authenticator app, and its first code. */
export function EnrolTotp({ begin, confirm }: EnrolProps) {
	const send = async ({ code = '' }: Values): Promise<undefined> => {
		await confirm(code);
	};
	return h(Loaded<Totp>, {
		load: begin,
		children: ({ secret, uri }) => [
			h('p', {}, t('scanCode')),
			h(QrCode, { text: uri }),
			h('p', {}, h('a', { href: uri }, t('openApp'))),
			h('p', { class: 'muted' }, t('typeSecret'), ' ', h('code', { class: 'secret' }, inGroups(secret))),
			h(Form, { action: t('confirm'), submit: send }, h(CodeField, { hint: t('firstCodeHint') })),
		],
	});
}

function inGroups(secret: string): string {
	return secret.replaceAll(/.{4}(?=.)/g, '$& ');
}

/** Black on white in both colour schemes, as cameras expect it. The encoder is loaded when it is needed. */
function QrCode({ text }: { readonly text: string }) {
	const drawn = useSignal<{ readonly size: number; readonly path: string } | undefined>(undefined);
	useEffect(() => {
		void import('uqr').then(({ encode }) => {
			const { size, data } = encode(text, { border: 2 });
			const squares = data.flatMap((row, y) =>
				row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
			);
			drawn.value = { size, path: squares.join('') };
		});
	}, [text]);
	const { size, path } = drawn.value ?? { size: 1, path: '' };
	return h(
		'svg',
		{ class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': t('qrCode') },
		h('rect', { width: size, height: size, fill: '#fff' }),
		h('path', { d: path, fill: '#000' }),
	);
}

/** Shown once, after the first factor or when they are replaced. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
	return h(
		'div',
		{ class: 'stack', role: 'status' },
		h('h3', {}, t('recoveryCodes')),
		h('p', {}, t('recoveryCodesText')),
		h(
			'ul',
			{ class: 'codes' },
			codes.map((code) => h('li', {}, h('code', {}, code))),
		),
	);
}

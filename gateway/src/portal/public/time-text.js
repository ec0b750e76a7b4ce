const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** An instant in the browser's time zone, with the day if it isn't today. */
export function clockText(instant) {
	const date = new Date(instant);
	const today = new Date().toDateString() === date.toDateString();
	return (today ? time : dayAndTime).format(date);
}

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** An instant with its date and time zone, which is that of all times on the page. */
export function instantText(instant) {
	const text = full.format(new Date(instant));
	return text.endsWith(zone) ? text : `${text} (${zone})`;
}

/** A length of time in its largest unit or two. */
export function durationText(seconds) {
	const whole = Math.max(0, Math.round(seconds));
	if (whole < 60) return `${whole} s`;
	if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
	if (whole < 86_400) return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
	return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3_600)} h`;
}

/** A latency, rounded to a readable precision. */
export function latencyText(ms) {
	if (ms === undefined || ms === null) return '–';
	if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
	return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

export function rateText(perSecond) {
	return `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
}

export function percentText(share) {
	const percent = share * 100;
	return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}

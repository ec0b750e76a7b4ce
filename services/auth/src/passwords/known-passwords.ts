import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { demoPassword } from '@paddock/demo';
import { withoutMarks, withUmlautsSpelledOut } from '@paddock/text';

const text = `
passwoerter p@ssword passphrase geheimwort yourpassword meinpasswort dasistmeinpasswort thisismypassword
neuespasswort oldpassword changemenow pleasechangeme aendermich defaultpassword startpasswort startkennwort
einmalpasswort keinpasswort forgotpassword resetpassword secretpassword strenggeheim sehrgeheim supergeheim
supersecret superpassword strongpassword goodpassword bestpassword securepassword sicherespasswort verysecure
masterpassword adminpassword userpassword testpassword testpasswort rootpassword loginpassword letmeinplease
sesamoeffnedich welcomeback welcomehome willkommenzurueck herzlichwillkommen hallowelt hallihallo gutenmorgen
gutenabend superadmin postmaster hostmaster superuser benutzer benutzername login anmeldung ubuntu instagram
whatsapp twitter linkedin spotify fortnite demouser mustermann maxmustermann qwertz qwertzuiop qwertz1234 yxcvbnm
qaywsxedc 1qay2wsx3edc 1q2w3e4r5t6z q1w2e3r4t5z6 yaq12wsx a1b2c3d4e5f6 1a2b3c4d5e6f abc123def456 qqww1122 q1q1q1q1
yxcv1234 121212 123123123 314159265358 271828182845 iloveyousomuch ilovemydog ilovemycat ilovemyhorse ilovehorses
iloveriding ichliebedich ichliebemich ichliebepferde ichliebemeinpferd ichhassedich foreverlove schatzilein
engelchen bestfriends wintertime sommerzeit dontworry hakunamatata baerli lukeskywalker dumbledore nummer1
icehockey eishockey skifahren biathlon rapidwien austriawien sturmgraz manchesterunited bayernmuenchen bvb09 koeln
linz graz innsbruck klagenfurt bregenz eisenstadt oesterreicher switzerland steiermark kaernten tirol vorarlberg
burgenland oberoesterreich niederoesterreich wienerschnitzel apfelstrudel erdbeere kirsche harleydavidson
correcthorsebatterystaple tobeornottobe maytheforcebewithyou thequickbrownfox quickbrownfox onceuponatime
twinkletwinkle simsalabim supercalifragilisticexpialidocious expelliarmus winteriscoming valarmorghulis
speakfriendandenter iamyourfather openthedoor imtheboss ichweissnicht keineahnung wurscht gruessgott gruezi
aufwiedersehen oachkatzlschwoaf bergsteiger schifahren skitour horseback horseriding horserider horselover
horsegirl myhorse meinpferd pferdchen pferdeliebe pferdemaedchen pferdefreund pferdenarr pferdestall reiterin
reitsport reitstall reitverein reitturnier reitschule springreiten dressurreiten dressur vielseitigkeit eventing
showjumping springpferd dressurpferd voltigieren vaulting fahrsport distanzreiten endurance westernreiten trakehner
hannoveraner haflinger lipizzaner noriker warmblut kaltblut vollblut friesian frieser shetty islaender islandpferd
connemara welshpony ponyhof ponyreiten ponylove ponys wallach gelding stute foal fohlen einhorn blackbeauty ostwind
bibiundtina zaumzeug bridle trense halfter steigbuegel hufeisen horseshoe huf galopp piaffe pirouette paddock
paddockpaddock stables koppel weide tournament parcours oxer federation fei oeps equestrian reitsportverband
pferdesport pferdesportverband
`;

/**
 * Words that a guesser tries here and that the lists of `isListed` lack: the service and its sport, places and clubs of
 * its country, phrases, patterns of the German keyboard (NIST SP 800-63B-4 §3.1.1.2 calls for context-specific words).
 * Folded like the passwords they are compared with: lower case, no diacritics.
 */
export const contextWords: readonly string[] = text.trim().split(/\s+/);

/** The password of all demo accounts, and those of the examples in README, portal, openapi.yaml and the collection. */
const published = [
	demoPassword,
	'ein ruhiger Apfelschimmel',
	'three bales and a bucket',
	'a saddle on every peg',
].map(plain);

/** Whether a password contains a published one, in any case and with any characters between its words. */
export function isPublishedPassword(password: string): boolean {
	const given = plain(password);
	return published.some((each) => given.includes(each));
}

function plain(text: string): string {
	return withoutMarks(text).replace(/[^\p{L}\p{N}]+/gu, '');
}

const { resolve } = createRequire(import.meta.url);

/**
 * Word lists of two packages, JSON arrays of strings. The long list is searched as text: it takes 25 MB when unpacked
 * by its package, and 5 MB as a Set.
 */
const leaked = read('@zxcvbn-ts/language-common/src/passwords.json');
const lengthMax = Math.max(...(JSON.parse(leaked) as string[]).map(({ length }) => length));
const germanLists = ['commonWords', 'firstnames'].map((name) =>
	read(`@zxcvbn-ts/language-de/src/${name}.json`),
);
const words: ReadonlySet<string> = new Set([
	...germanLists.flatMap((list) => (JSON.parse(list) as string[]).flatMap(spellings)),
	...contextWords,
]);

/**
 * Whether a text is one of about 50,000 most frequently leaked passwords, a frequent German word or first name, or a
 * word of this service's context. `folded` is in lower case, without diacritics or with umlauts spelled out.
 */
export function isListed(folded: string): boolean {
	if (words.has(folded)) return true;
	// No entry contains a quotation mark or a backslash; in the JSON text they are syntax.
	if (folded === '' || /["\\]/.test(folded)) return false;
	if (folded.length > lengthMax) return false;
	// Search without quotation marks first: they occur everywhere and make the search ten times as slow.
	return leaked.includes(folded) && leaked.includes(`"${folded}"`);
}

function read(path: string): string {
	return readFileSync(resolve(path), 'utf8');
}

function spellings(word: string): string[] {
	if (/^[a-z]+$/.test(word)) return [word];
	return [withoutMarks(word), withUmlautsSpelledOut(word)];
}

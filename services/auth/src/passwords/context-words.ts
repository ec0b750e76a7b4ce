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

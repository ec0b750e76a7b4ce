/**
 * Words, names and phrases that lists of leaked passwords are made of, in lower case without
 * diacritics, in no order that matters.
 * `isCommonPassword` says what else follows from one of them. Written for this system: general words in English and
 * German, names, clubs, keyboard patterns with letters and digits mixed, phrases, and the words of this sport.
 */
const text = `
password passwords passwort passwoerter passw0rd pass1234 passwd p@ssword p@ssw0rd pa55word passphrase kennwort geheimwort
mypassword yourpassword meinpasswort dasistmeinpasswort thisismypassword newpassword neuespasswort oldpassword
changeme changemenow changeit pleasechangeme aendermich default defaultpassword temppassword temporary temp1234 initial
startpasswort startkennwort einmalpasswort nopassword keinpasswort forgotpassword resetpassword secret secretpassword
topsecret geheim strenggeheim sehrgeheim supergeheim supersecret superpassword strongpassword goodpassword bestpassword
securepassword sicherespasswort sicherheit security verysecure masterpassword adminpassword userpassword testpassword
testpasswort rootpassword loginpassword letmein letmeinnow letmeinplease openup opensesame sesamoeffnedich welcome
welcomeback welcomehome willkommen willkommenzurueck herzlichwillkommen hello hellothere helloworld hallowelt hallihallo
hallo guten gutenmorgen gutentag gutenabend goodmorning goodnight admin administrator superadmin sysadmin webmaster
postmaster hostmaster root superuser manager operator supervisor guest visitor anonymous nobody user username benutzer
benutzername kunde customer account konto login anmelden anmeldung signin access zugang zugriff system server database
datenbank computer internet network netzwerk windows microsoft linux ubuntu android samsung iphone google facebook
instagram whatsapp youtube twitter linkedin amazon netflix spotify playstation nintendo minecraft fortnite pokemon
test tester testing testtest testuser test1234 demo demouser example beispiel sample muster mustermann maxmustermann
qwerty qwertz qwertyuiop qwertzuiop qwerty1234 qwertz1234 qwert asdf asdfasdf asdfghjk asdfghjkl yxcvbnm zxcvbnm zxcvbn
qazwsx qazwsxedc qaywsx qaywsxedc 1qaz2wsx 1qay2wsx 1qaz2wsx3edc 1qay2wsx3edc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6z
1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5z6 zaq12wsx zaq1xsw2 yaq12wsx xsw2zaq1 qwer1234 1234qwer
asdf1234 1234asdf a1b2c3d4 a1b2c3d4e5 a1b2c3d4e5f6 1a2b3c4d 1a2b3c4d5e 1a2b3c4d5e6f abc123 abcd1234 1234abcd abc12345
abc123def456 aa123456 aaa111 qqww1122 q1q1q1q1 zxc123 zxcv1234 yxcv1234 147258369 159357 741852963 963852741 789456123
123654789 321654987 135792468 246813579 112233445566 121212 131313 123123123 123321123321 314159265358 271828182845
iloveyou iloveyousomuch ilovemyself ilovemyfamily ilovemydog ilovemycat ilovemyhorse ilovehorses iloveriding ilovejesus
ilovegod iloveher ilovehim ichliebedich ichliebemich ichliebepferde ichliebemeinpferd ichhassedich ichbins loveyou
lovely lover loveme truelove mylove foreverlove love4ever liebe liebling schatz schatzi schatzilein sweetheart sweety
sweetie honey honeybee darling beautiful gorgeous pretty princess prinzessin prince prinz queen koenigin king koenig
angel engel engelchen baby babygirl babyboy boyfriend girlfriend bestfriend bestfriends freundin freunde freundschaft
family familie mother mutter father vater brother bruder sister schwester grandma grandpa oma opa mama papa mami papi
sunshine sonnenschein sonne moonlight starlight rainbow regenbogen butterfly schmetterling flower blume blumen rose
summer sommer winter spring fruehling herbst autumn december november october september august january februar february
januar monday montag dienstag mittwoch donnerstag freitag samstag sonntag saturday sunday weekend wochenende urlaub
holiday christmas weihnachten ostern easter birthday geburtstag summertime wintertime sommerzeit happy happiness
behappy dontworry hakunamatata whatever whatsup nothing something anything everything always forever never nevermind
trustno1 trustnoone godisgood godislove jesus jesuschrist blessed heaven himmel paradise paradies freedom freiheit peace
frieden power energy monster dragon drachen drache phoenix tiger lion loewe eagle adler falcon falke wolf wolves
panther leopard shark dolphin delfin elephant elefant monkey affe donkey esel chicken kitten kitty katze kaetzchen puppy
hund hunde hase haeschen maus mausi baer baerli bear teddy teddybear doggy snoopy garfield mickey mickeymouse donald
batman superman spiderman ironman wonderwoman starwars startrek skywalker darthvader lukeskywalker gandalf frodo
harrypotter hogwarts dumbledore hermione matrix terminator rambo rocky jamesbond sherlock shadow hunter jaeger killer
warrior krieger ninja samurai knight ritter wizard zauberer magic magician mystery diamond diamant silver silber gold
golden goldfish platinum crystal kristall master meister champion champions winner sieger gewinner number1 nummer1
football fussball soccer baseball basketball hockey icehockey eishockey tennis golf golfer skiing skifahren snowboard
biathlon volleyball handball wrestling boxing formula1 formel1 rapid rapidwien austriawien sturmgraz redbull salzburg
realmadrid barcelona fcbarcelona juventus acmilan manchester manchesterunited liverpool liverpoolfc arsenal chelsea
bayern bayernmuenchen fcbayern borussia dortmund bvb09 schalke schalke04 hamburg koeln bremen werder stuttgart lakers
cowboys steelers yankees redsox patriots dolphins packers eagles chelseafc arsenalfc madrid london paris berlin wien
vienna linz graz innsbruck klagenfurt bregenz eisenstadt austria oesterreich oesterreicher germany deutschland schweiz
switzerland europe europa america england steiermark kaernten tirol vorarlberg burgenland oberoesterreich
niederoesterreich mozart schnitzel wienerschnitzel apfelstrudel schokolade chocolate cookie cookies cheese cheesecake
banana orange lemon strawberry erdbeere cherry kirsche apple pineapple ananas pizza pasta spaghetti coffee kaffee
guinness whiskey vodka beer wine champagne pepper ginger vanilla cinnamon sugar peanut popcorn bubbles jelly
michael michelle jennifer jessica ashley amanda nicole daniel andrew joshua matthew anthony christopher william robert
thomas charlie george patrick jordan taylor hannah samantha elizabeth victoria alexander alexandra sebastian maximilian
katharina christina christian stefanie stephanie stefan martina manuela claudia daniela michaela andreas markus martin
florian dominik fabian tobias lukas jakob julian benjamin philipp patrizia sabrina sandra melanie bianca cornelia
elisabeth franziska theresa magdalena johanna valentina victor vincent oliver simon david peter josef johann franz karl
ferrari porsche mercedes lamborghini maserati bugatti audi volkswagen mustang corvette camaro yamaha suzuki kawasaki
harley harleydavidson ducati motorbike motorrad metallica nirvana slipknot eminem beatles rammstein music musik guitar
gitarre piano drummer rockstar rocknroll dancer tanzen dancing singer gamer gaming player hacker cheater secret123
correcthorsebatterystaple tobeornottobe maytheforcebewithyou thequickbrownfox quickbrownfox onceuponatime
twinkletwinkle abrakadabra abracadabra simsalabim supercalifragilisticexpialidocious alohomora expelliarmus winteriscoming
valarmorghulis mellon speakfriendandenter iamyourfather openthedoor imtheboss whoami dontknow idontknow ichweissnicht
keineahnung egal wurscht servus gruessgott gruezi tschuess aufwiedersehen prost oachkatzlschwoaf
computer1 zeppelin pumpkin cupcake bulldog maverick blessing precious ladybug lollipop midnight danger thunder
lightning blitz donner tornado hurricane volcano ocean pacific atlantic mountain berge bergsteiger schifahren skitour
horse horses horseback horseriding horserider horselover horsegirl horsepower myhorse meinpferd pferd pferde pferdchen
pferdeliebe pferdemaedchen pferdefreund pferdenarr pferdestall reiter reiterin reiten reitsport reitstall reitverein
reitturnier reitschule springreiten dressurreiten dressur dressage vielseitigkeit eventing showjumping jumping springen
springpferd dressurpferd voltigieren vaulting driving fahrsport distanzreiten endurance western westernreiten trakehner
hannoveraner haflinger lipizzaner noriker warmblut kaltblut vollblut araber arabian friesian frieser shetty shetland
island islaender islandpferd connemara welshpony ponyhof ponyreiten ponylove pony ponys stallion hengst wallach gelding
stute mare foal fohlen einhorn unicorn pegasus blackbeauty fury spirit ostwind bibiundtina wendy sattel saddle zaumzeug
bridle trense halfter steigbuegel hufeisen horseshoe huf galopp gallop canter trab trot piaffe passage pirouette
paddock paddockpaddock stable stables stall koppel weide turnier tournament parcours oxer federation fei oeps
equestrian reitsportverband pferdesport pferdesportverband
`;

/** See the text above for what it holds; each entry once. */
export const commonPasswords: readonly string[] = [...new Set(text.trim().split(/\s+/))];

"""Function words by language: what a query loses for ranking, and what tells a language.

Articles, pronouns, auxiliaries, prepositions, conjunctions and question words. The same list
serves both uses, so a word that would make one of them wrong (English `like`, `use`) is in none.
The keys are Snowball's names of languages; `OTHERS` are languages that are told apart but not
stemmed. Everything is case folded.
"""

# ruff: noqa: RUF001 - other alphabets have letters that look like Latin ones

from __future__ import annotations

__all__ = ["FUNCTION_WORDS", "OTHERS"]

_ENGLISH = """
a about after all am an and any are as at be because been before being between both but by can
aren could couldn did didn do does doesn doing don during each for from had hadn has hasn have haven
having he her here hers him his how i
if in into is isn it its just me might my no nor not of off on once only or other our ours out over
own she should shouldn so some such than that the their theirs them then there these they this those
through to too under until up upon was wasn we were weren what when where whether which while who
whom whose why will with would wouldn you your yours
"""

_GERMAN = """
aber alle als also am an auch auf aus bei beim bin bis da damit dann das dass dem den der des die
diese dieser dieses du durch ein eine einem einen einer eines er es für gibt haben hat hatte ich
ihr im in ist ja jede jeder kann kein keine können man mehr mit muss nach nicht noch nur oder ob
sein sich sie sind so über um und uns unter vom von vor war warum was welche welcher wenn wer
werden wie wieso wir wird wo wurde wurden zu zum zur zwischen
"""

_RUSSIAN = """
а без более бы был была были было быть в вам вас весь во вот все всех вы где да для до его ее её
если есть еще ещё же за здесь и из или им их к как какая какие какой когда который которые кто ли
лучше мне может можно мы на над не него нет ни но о об он она они оно от очень перед по под после
почему при про с сколько со так также такой там то только том тот у уже чего чем что чтобы эта эти
это этого этот я
"""

_FRENCH = """
à afin ai au aucun aussi autre aux avec avoir c car ce ces cet cette chaque comme comment d dans de
des donc dont du elle elles en entre est et étaient était été être eu il ils j je l la le les leur
leurs lorsque lui m mais même mes mon n ne nos notre nous on ont ou où par pas peut plus pour
pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon ses si son sont sous
sur ta tes toi ton tous tout toute très tu un une vers vos votre vous y
"""

_SPANISH = """
a al algo ante antes aquí así aunque cada como cómo con contra cual cuál cuales cuáles cuando
cuándo cuya de debe del desde donde dónde dos durante e el él ella ellas ellos en entre era eran es
esa ese eso esta está están estas este esto estos fue ha han hasta hay la las le les lo los más me
mi mientras muy ni no nos o otra otro para pero por porque pueda puede pueden que qué quien quién
se sea ser si sí sin sobre son su sus también tan tiene todo todos tu tú un una uno unos usted y ya
yo
"""

_ITALIAN = """
a ad agli ai al alla alle allo anche c che chi ci ciascuno come con cosa così cui d da dagli dai dal
dalla dalle dallo degli dei del della delle dello di dopo dove è e ed era erano essere fra gli ha
hanno il in io l la le lei lo loro lui ma mentre mi nei nel nella nelle nello noi non nostro o ogni
oppure per perché più può prima qual quale quali quando quanto quella quello questa queste questi
questo qui se senza si sia sono su sua sue sugli sui sul sulla sulle suo tra tutti tutto un una uno
viene voi
"""

_PORTUGUESE = """
a à ao aos aquela aquele aquilo as às até cada com como da das de dela dele depois do dos e é ela
elas ele eles em entre era eram essa esse esta está estão este eu foi foram há isso isto já lhe mais
mas mesmo meu minha muito na não nas nem no nos nós num numa o onde os ou para pela pelas pelo pelos
pode podem por porque porquê qual quais quando que quem são se seja sem ser seu seus sobre sua suas
também tem têm ter todos tudo um uma você vocês
"""

_DUTCH = """
aan al alle als bij bijvoorbeeld daar dan dat de der deze die dit doen door dus een eens en er ge
geen haar had hebben heeft hem hen het hier hij hoe hun iets ik in is je jij jouw kan kunnen maar
meer men met mij mijn moet na naar niet nog nu of om omdat ons onze ook op over te tegen toch toen
tot tussen u uit uw van vanuit veel via voor waar waarom wanneer waren was wat we wel welk welke
werd wie wij wordt worden zal ze zich zij zijn zo zonder zou
"""

_SWEDISH = """
alla allt att av blev bli blir de dem den denna deras dess det detta dig din ditt du där då efter
ej eller en ett från för ha hade han har hon hos hur här i icke inte ingen jag ju kan kunde man med
mellan men mig min mot mycket ni någon något när och om oss på sedan sig sin sitt skulle som så till
under upp ut utan vad var varför varje vara vem vi vid vilka vilken vilket är över
"""

_NORWEGIAN = """
alle at av bare ble bli blir da de deg den denne dere det dette din disse du eller en er et etter
fra før ha hadde han har hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor i ikke ingen
jeg kan kunne man med meg mellom men min mot mye noe noen nå når og også om opp oss over på seg sin
skal skulle som så til um under ut uten var ved vi vil være
"""

_DANISH = """
af alle at blev blive bliver da de dem den denne der det dette dig din disse du efter eller en end
er et for fra før ham han har havde hende her hos hun hvad hvem hver hvilke hvilken hvis hvor
hvordan hvorfor i ikke ingen jeg jer kan kunne man med meget mellem men mig min mod må ned noget
nogle nu når og også om op os over på sig sin skal skulle som så til ud uden under var ved vi vil
være
"""

_FINNISH = """
ei eivät eli että hän he ilman ja jo joka jonka jos jossa jota jotka joko kanssa kautta keitä ken
ketkä koska kuin kuinka kuka kun kuten me mihin mikä miksi milloin minä mitä missä mitkä mukaan
mutta myös ne niin nyt nämä ole olen oli olivat olla on ovat saa se sekä sen siellä siinä sillä
sitten sitä tai te tämä tämän tässä tätä vai vain vaikka voi voidaan voit
"""

_HUNGARIAN = """
a abban ahhoz ahogy aki akkor ami amikor amely amelyek az azok azt azonban be csak de e egy egyik
előtt én és ez ezek ezt fel hanem hogy hogyan ha hol igen ill ilyen is itt ki kell le lehet majd
meg mely mert mi mikor miért mint mit más még már melyik milyen nagyon nem nincs ő ők olyan ott
össze pedig sem számára szerint ti több után vagy vagyok van vannak volt
"""

_ROMANIAN = """
a acea aceasta această aceste acest acesta ai al ale am are aș așa atunci au ca că când care căror
ce cea cel cele cine cu cum da dacă dar de decât deci deși din după e ea ei el ele este eu fi fie
fiecare fost îi îl în între și iar la le li lor lui mai ne ni nici nu o ori pe pentru prin sa să
sau se sunt sub te tu un una unde unei unui va voi
"""

_TURKISH = """
acaba ama ancak bana bazı belki ben beni bile bir biri biz bu buna bunu bunun çok çünkü da daha de
değil diye en gibi göre hangi hem hep her hiç için ile ise kadar ki kim mı mi mu mü nasıl ne neden
nerede niçin niye o olan olarak oldu olduğu olur ona onlar onu onun sen siz sonra şey şu tarafından
tüm var ve veya ya yani yok
"""

_INDONESIAN = """
ada adalah agar akan anda apa apakah atau bagaimana bagi bahwa banyak beberapa belum bisa bukan
dalam dan dapat dari dengan di dia hanya harus hingga ia ini itu jika juga kami kapan karena kata
ke kita lain lebih maka mana mengapa mereka namun oleh pada saat saja sampai sangat saya sebagai
sebuah secara sehingga sejak seperti serta setelah siapa sudah tanpa telah tentang tersebut tetapi
tidak untuk yaitu yang
"""

_CATALAN = """
a al als amb aquest aquesta aquestes aquests així cada com d dels del des després dins durant el
ella ells els em en entre era és ésser està estan et fins ha han hi i jo l la les li ho més molt no
nosaltres o on on per però perquè pot poden quan que què qual qui s se sense ser seu seva si sobre
són també tot tots un una uns vostè
"""

_GREEK = """
αλλά αν ας αυτά αυτή αυτό αυτός για γιατί δε δεν εδώ είναι εκεί ένα έναν ένας ενός επίσης έχει έχουν
η ήταν θα και κάθε κατά με μετά μέσα μη μην μια μία μπορεί μπορείτε να ο οι όμως όπου όπως όταν ότι
που πού ποια ποιο ποιος πότε πρέπει προς πως πώς σας σε στα στη στην στις στο στον στους τα τη την
της τι τις το τον του τους των ως
"""

_POLISH = """
a aby ale bez być był była było co czy dla do gdy gdzie go i ich ile im ja jak jaka jakie jako jego
jej jest jeśli już każdy kiedy kto która które który lub ma może można na nad nie niż o od on ona
oraz po pod ponieważ przed przez przy są się tak także tam te tego tej ten to tu tylko tym u w we
więc wszystkie z za ze że żeby
"""

_CZECH = """
a aby ale ani až bez bude být by byl byla bylo co či do ho i já jak jako je jeho její jejich jen
jestli jsem jsou k kde kdo kdy když která které který ma mezi může na nad ne nebo než o od pak po
pod podle pokud pro proč protože před přes při s se si tak také takže tam ten to tu v ve více však
z za ze že
"""

_UKRAINIAN = """
а або але без був була були було в вже він від вона вони до для є за з із і його й її їх коли ми на
над не немає ні ось по при про та так також такий там те тільки то у хто це цей ці чи чому що щоб я
як який які
"""

_BULGARIAN = """
а аз ако без беше би бъде в вас ви все да до за и из или има как какво кога който която което които
към ли между ми може много на над не него нея ни но по под при с са само се си след със съм така
там те това този тя тях че ще я
"""

_VIETNAMESE = """
bạn bị bởi các cái cần cho chúng chỉ có của cũng đã đang đây đến để đó được gì hoặc hơn khi không là
làm mà một này nào nếu như những ở ra rằng sẽ tại thì tôi trong trên từ và vào về với vì
"""

FUNCTION_WORDS: dict[str, str] = {
    "english": _ENGLISH,
    "german": _GERMAN,
    "russian": _RUSSIAN,
    "french": _FRENCH,
    "spanish": _SPANISH,
    "italian": _ITALIAN,
    "portuguese": _PORTUGUESE,
    "dutch": _DUTCH,
    "swedish": _SWEDISH,
    "norwegian": _NORWEGIAN,
    "danish": _DANISH,
    "finnish": _FINNISH,
    "hungarian": _HUNGARIAN,
    "romanian": _ROMANIAN,
    "turkish": _TURKISH,
    "indonesian": _INDONESIAN,
    "catalan": _CATALAN,
    "greek": _GREEK,
}

OTHERS: dict[str, str] = {
    "polish": _POLISH,
    "czech": _CZECH,
    "ukrainian": _UKRAINIAN,
    "bulgarian": _BULGARIAN,
    "vietnamese": _VIETNAMESE,
}

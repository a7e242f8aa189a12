"""Words of programmes: titles of pieces, other composers, and headings, in the languages that people paste."""

# A title's name, then its words as folded text; those after the bar are plurals.
_TITLES = {
    "etude": "etude etiuda etiude etuede study studium estudio studio etyd エチュード 練習曲 练习曲 연습곡 에튀드"
    " этюд этюда етюд etud | etudes etuden etiudy etiud etueden studies estudios studi studien этюды этюдов етюди"
    " etudy etuder etyder",
    "nocturne": "nocturne nokturn notturno nocturno ノクターン ノクチュルヌ 夜想曲 夜曲 녹턴 야상곡 ноктюрн ноктюрна"
    " nokturno nokturna noktuerne | nocturnes nocturnen nokturny nokturnow notturni nocturnos ноктюрны ноктюрнов"
    " ноктюрни nocturner nokturnen",
    "scherzo": "scherzo スケルツォ スケルツオ 谐谑曲 諧謔曲 詼諧曲 诙谐曲 스케르초 скерцо skerzo | scherzos scherzi"
    " scherza",
    "mazurka": "mazurka mazurek mazurke mazurca マズルカ 玛祖卡舞曲 玛祖卡 瑪祖卡 马祖卡 馬祖卡 玛兹卡 마주르카"
    " мазурка мазурку mazurku | mazurkas mazurki mazurkow mazurken mazurkes mazurcas mazurche мазурки мазурок"
    " mazurky mazurkor mazurkaer",
    "nouvelle etude": "新練習曲 新しい練習曲 | nouvelles",
    "ballade": "ballade ballada ballad balada バラード 叙事曲 敘事曲 발라드 баллада балада | ballades balladen"
    " ballady ballads баллады",
    "polonaise": "polonaise polonez ポロネーズ 波兰舞曲 波蘭舞曲 波洛奈兹 폴로네즈 полонез | polonaises polonaisen"
    " polonezy полонезы",
    "sonata": "sonata sonate ソナタ 奏鸣曲 奏鳴曲 소나타 соната | sonatas sonaten sonaty sonates сонаты",
    "waltz": "waltz walc walzer valse vals valzer ワルツ 圆舞曲 圓舞曲 왈츠 вальс valcik | waltzes walce valses вальсы",
    "prelude": "prelude preludium preludio praludium prelud プレリュード 前奏曲 전주곡 프렐류드 прелюдия прелюд |"
    " preludes preludia preludien прелюдии прелюды",
    "barcarolle": "barcarolle barkarola barcarola 舟歌 バルカローレ 船歌 뱃노래 바르카롤 баркарола |",
    "fantasy": "fantasy fantaisie fantasie fantazja fantasia 幻想曲 환상곡 фантазия |",
    "impromptu": "impromptu improvviso 即興曲 即兴曲 즉흥곡 экспромт | impromptus экспромты",
    "berceuse": "berceuse kolysanka 子守歌 摇篮曲 搖籃曲 자장가 колыбельная |",
    "rondo": "rondo rondeau ロンド 回旋曲 론도 рондо | rondos",
    "variations": "variation wariacja 変奏曲 变奏曲 變奏曲 변주곡 | variations variationen wariacje вариации",
    "concerto": "concerto konzert koncert concierto 協奏曲 协奏曲 협주곡 концерт | concertos koncerty концерты",
    "andante spianato": "spianato |",
    "tarantella": "tarantella tarantelle tarantela タランテラ тарантелла |",
    "bolero": "bolero ボレロ болеро |",
    "ecossaise": "ecossaise экосез | ecossaises экосезы",
    "fugue": "fugue fuga фуга |",
    "contredanse": "contredanse |",
}
TITLES = {word: name for name, words in _TITLES.items() for word in words.replace("|", " ").split()}
PLURALS = frozenset(word for words in _TITLES.values() for word in words.partition("|")[2].split())

# Whose studies, nocturnes and mazurkas are not in this catalogue.
OTHER_COMPOSERS = frozenset(
    "bach beethoven brahms debussy dobrzynski faure field godowsky grieg kurpinski leschetizky liszt lyadov maliszewski"
    " mendelssohn moszkowski moscheles mozart oginski paderewski prokofiev ravel rachmaninoff rachmaninov rubinstein"
    " schubert schumann scriabin skrjabin skriabin stravinsky szymanowska szymanowski tausig tchaikovsky thalberg"
    " リスト ドビュッシー スクリャービン ラフマニノフ シマノフスキ シューマン"
    " 李斯特 德彪西 斯克里亚宾 拉赫玛尼诺夫 리스트 드뷔시"
    " 스크랴빈 라흐마니노프".split()
)

# Words of tempo, which stand beside a title or as a movement's line of their own.
_TEMPI = (
    "allegro allegretto andante andantino largo larghetto presto prestissimo vivace vivo lento moderato adagio maestoso"
    " agitato animato sostenuto cantabile leggiero grave fuoco brio con molto assai poco piu non troppo tanto quasi"
)

# A line of these, digits, names of days and punctuation says what follows, and names no piece.
HEADINGS = frozenset(
    "stage etap stufe runde round rounds prelim preliminary preliminaries eliminacje wstepne final finals finale"
    " semifinal semifinals session sesja sitzung morning evening afternoon opening closing poranna wieczorna program"
    " programme programm programs repertoire repertuar recital pianist pianista participant uczestnik uczestniczka"
    " contestant competitor monday tuesday wednesday thursday friday saturday sunday january february march april"
    " may june july august september october november december intermission interval pause przerwa プログラム 予選"
    " 曲目 演奏曲目 课題曲 課題曲 曲目表 节目单 節目單 曲目单 프로그램 연주곡 i ii iii iv v the of and"
    " encore encores bis zugabe zugaben rappel アンコール 安可 앙코르 entracte antrakt 休憩 休息 中场休息 휴식"
    " программа этап тур раунд финал перерыв антракт бис первый второй третий".split()
)

# A line that begins with one of these is a heading, whoever it names.
OPENING_WORDS = frozenset(
    "stage etap stufe runde round prelim preliminary preliminaries eliminacje session sesja program programme programm"
    " recital participant uczestnik uczestniczka contestant competitor intermission interval pause przerwa"
    " программа этап тур".split()
)

# Between these a line leaves the choice open, and one of those before a number takes its piece out.
OPEN_WORDS = frozenset(
    "or oder lub albo ou oppure eller или without except excluding omitting but not ohne ausser bez oprocz sans sauf"
    " senza sin без кроме".split()
)

ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
KANJI = {sign: number for number, sign in enumerate("一二三四五六七八九十", start=1)}
COUNTS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "twelve": 12,
    "dwa": 2,
    "dwie": 2,
    "trzy": 3,
    "cztery": 4,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "deux": 2,
    "trois": 3,
    "quatre": 4,
    "два": 2,
    "две": 2,
    "три": 3,
    "четыре": 4,
    "両": 2,
    "두": 2,
    "세": 3,
    "네": 4,
}

# The composer of this catalogue.
COMPOSER = frozenset(
    "chopin chopin's chopina chopins szopen szopena шопен шопена שופן شوبان ショパン 肖邦 蕭邦 萧邦 쇼팽".split()
)

# Words that stand beside a title and say nothing about which piece it is.
SILENT = COMPOSER.union(
    _TEMPI.split(),
    "f fr fryderyk fryderyka frederic frederick franciszek фредерик ф フレデリック for piano solo in na fortepian fur"
    " klavier pour le la les der die das a an or oder lub ou w z для фортепиано в 作曲 の より 的".split(),
)

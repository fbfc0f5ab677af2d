package dev.sotto.app.demo;

/** What a season counts: the name in our events, and the column it comes from. */
enum Stat {
  GAMES("games", "numberOfGames"),
  AT_BATS("atBats", "AtBatting"),
  RUNS("runs", "runs"),
  HITS("hits", "hits"),
  DOUBLES("doubles", "doules"), // the file's spelling, here and below
  TRIPLES("triples", "tripples"),
  HOME_RUNS("homeRuns", "homeRuns"),
  RUNS_BATTED_IN("runsBattedIn", "runsBattedIn"),
  STOLEN_BASES("stolenBases", "stolenBases"),
  WALKS("walks", "baseOnBalls"),
  STRIKEOUTS("strikeouts", "strikeouts");

  final String field;
  final String column;

  Stat(String field, String column) {
    this.field = field;
    this.column = column;
  }
}

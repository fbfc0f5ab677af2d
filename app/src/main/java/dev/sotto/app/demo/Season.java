package dev.sotto.app.demo;

import java.util.Map;

/** One season of one player, over all teams that he played for in it. */
final class Season {
  final String player;
  final int year;
  private final int[] counts = new int[Stat.values().length];
  private int lastStint;
  private String team;
  private String league;

  Season(String player, int year) {
    this.player = player;
    this.year = year;
  }

  /**
   * Adds a stint, the time with one team: every count is summed, an empty one as 0. Team and league
   * are those of the last stint.
   */
  void add(Map<String, String> row) {
    for (Stat stat : Stat.values()) {
      String value = row.get(stat.column);
      counts[stat.ordinal()] += value.isEmpty() ? 0 : Integer.parseInt(value);
    }
    int stint = Integer.parseInt(row.get("playerStint"));
    if (stint > lastStint) {
      lastStint = stint;
      team = row.get("teamID");
      league = row.get("league");
    }
  }

  int count(Stat stat) {
    return counts[stat.ordinal()];
  }

  String team() {
    return team;
  }

  String league() {
    return league;
  }
}

package dev.sotto.app.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The recorded stream of the demo: will a baseball player play at least {@value #REGULAR} games in
 * his next season? 72,695 events of 13,035 players, 1871 to 2013; 27.3 % will.
 *
 * <p>An event is a season with the games of the <em>next season in which the same player
 * appears</em>, mostly the year after (66,033 of them), sometimes later. It happens when that next
 * season is over, so events are ordered by {@code nextYear}, then player: nothing in the stream
 * looks ahead. A player's last season, and so all of 2013, yields no event. The alternative, the
 * year after with 0 games for who is absent, has 89,600 events and asks who retires.
 *
 * <pre>
 * {"player":"aaronha01","year":1954,"team":"ML1","league":"NL","experience":0,"previousGames":0,
 *  "games":122,"atBats":468,...,"strikeouts":39,"nextYear":1955,"nextGames":153}
 * </pre>
 *
 * <p>{@code experience} counts the years since the player's first season, {@code previousGames} are
 * the games of the season before in which he appeared, 0 in his first; both know only the past.
 * Which fields predict well, and their public bounds: {@link BaseballFeatures}. {@code nextYear} is
 * part of the outcome and no feature.
 *
 * <p>Source: the file {@code baseballStats_data.csv} of Apache Pinot's examples (Apache-2.0), drawn
 * from Sean Lahman's baseball database (CC BY-SA). The build takes it out of a published artifact.
 */
public final class BaseballStream implements Iterable<BaseballStream.Event> {
  /** From this many games in the next season on, the label is 1. */
  public static final int REGULAR = 100;

  /** The field with the privacy unit, which is the key as well. */
  public static final String PLAYER = "player";

  /** The field with the games of the next season, from which the label comes. */
  public static final String NEXT_GAMES = "nextGames";

  static final String SHA256 = "137c25956738a8f3b93bf114867bd665e434156427600ddc37ea0995fe55372c";

  private static final String FILE = "baseballStats_data.csv";

  private static final String REMEDY =
      "delete its folder and build again, with mvn -DskipTests package";

  /**
   * What a season counts: the field in an event, and the column of the file, in the file's own
   * spelling.
   */
  private static final String[][] COUNTS = {
    {"games", "numberOfGames"},
    {"atBats", "AtBatting"},
    {"runs", "runs"},
    {"hits", "hits"},
    {"doubles", "doules"},
    {"triples", "tripples"},
    {"homeRuns", "homeRuns"},
    {"runsBattedIn", "runsBattedIn"},
    {"stolenBases", "stolenBases"},
    {"walks", "baseOnBalls"},
    {"strikeouts", "strikeouts"}
  };

  private final List<Pair> pairs;
  private final int players;
  private final JsonFactory json = new JsonFactory();

  /**
   * One event, ready to be sent. The arrays are not copied.
   *
   * @param key the player in UTF-8
   * @param value a JSON object in UTF-8
   */
  public record Event(byte[] key, byte[] value) {}

  /** A season, what went before it and what came after. */
  private record Pair(Season season, int experience, int previousGames, Season next) {}

  /** One season of one player, over all teams that he played for in it. */
  private static final class Season {
    private final String player;
    private final int year;
    private final int[] counts = new int[COUNTS.length];
    private int lastStint;
    private String team;
    private String league;

    Season(String player, int year) {
      this.player = player;
      this.year = year;
    }

    /** Adds the time with one team: counts are summed, an empty one as 0; the last team is kept. */
    void add(Map<String, String> row) {
      for (int i = 0; i < COUNTS.length; i++) {
        String value = row.get(COUNTS[i][1]);
        counts[i] += value.isEmpty() ? 0 : Integer.parseInt(value);
      }
      int stint = Integer.parseInt(row.get("playerStint"));
      if (stint > lastStint) {
        lastStint = stint;
        team = row.get("teamID");
        league = row.get("league");
      }
    }

    int games() {
      return counts[0];
    }
  }

  private BaseballStream(List<Pair> pairs, int players) {
    this.pairs = pairs;
    this.players = players;
  }

  /** Where the file is: {@code home} is the root of a checkout, after a build, or an installation. */
  public static Path file(Path home) {
    Path installed = home.resolve(Path.of("streams", FILE));
    return Files.exists(installed)
        ? installed
        : home.resolve(Path.of("app", "target", "streams", FILE));
  }

  /**
   * Reads the file into memory (about a second), and refuses any other content.
   *
   * @throws IOException if the file is missing, unreadable, or not the one that is meant
   */
  public static BaseballStream read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException(file + " must exist, but does not: " + REMEDY);
    }
    byte[] csv = Files.readAllBytes(file);
    try {
      String found =
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(csv));
      if (!found.equals(SHA256)) {
        throw new IOException(
            file + " must have sha256 " + SHA256 + ", but has " + found + ": " + REMEDY);
      }
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
    return of(csv);
  }

  /** The stream of any such file, unchecked. */
  static BaseballStream of(byte[] csv) throws IOException {
    Map<String, TreeMap<Integer, Season>> careers = careers(csv);
    List<Pair> pairs = new ArrayList<>();
    int players = 0;
    for (TreeMap<Integer, Season> career : careers.values()) {
      players += career.size() > 1 ? 1 : 0;
      Season previous = null;
      Season current = null;
      for (Season next : career.values()) {
        if (current != null) {
          int games = previous == null ? 0 : previous.games();
          pairs.add(new Pair(current, current.year - career.firstKey(), games, next));
        }
        previous = current;
        current = next;
      }
    }
    pairs.sort(Comparator.comparingInt((Pair pair) -> pair.next.year)
        .thenComparing(pair -> pair.next.player));
    return new BaseballStream(List.copyOf(pairs), players);
  }

  private static Map<String, TreeMap<Integer, Season>> careers(byte[] csv) throws IOException {
    Map<String, TreeMap<Integer, Season>> careers = new TreeMap<>();
    var reader = new CsvMapper()
        .readerForMapOf(String.class)
        .with(CsvSchema.emptySchema().withHeader());
    try (MappingIterator<Map<String, String>> rows = reader.readValues(csv)) {
      while (rows.hasNext()) {
        Map<String, String> row = rows.next();
        careers
            .computeIfAbsent(row.get("playerID"), player -> new TreeMap<>())
            .computeIfAbsent(
                Integer.parseInt(row.get("yearID")), year -> new Season(row.get("playerID"), year))
            .add(row);
      }
    }
    return careers;
  }

  /** The number of events. */
  public int size() {
    return pairs.size();
  }

  /** The number of players, that is of different keys. */
  public int players() {
    return players;
  }

  /** The events in their order; each call yields the same bytes. */
  @Override
  public Iterator<Event> iterator() {
    return pairs.stream().map(this::event).iterator();
  }

  private Event event(Pair pair) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(320);
    try (JsonGenerator out = json.createGenerator(bytes)) {
      Season season = pair.season;
      out.writeStartObject();
      out.writeStringField(PLAYER, season.player);
      out.writeNumberField("year", season.year);
      out.writeStringField("team", season.team);
      out.writeStringField("league", season.league);
      out.writeNumberField("experience", pair.experience);
      out.writeNumberField("previousGames", pair.previousGames);
      for (int i = 0; i < COUNTS.length; i++) {
        out.writeNumberField(COUNTS[i][0], season.counts[i]);
      }
      out.writeNumberField("nextYear", pair.next.year);
      out.writeNumberField(NEXT_GAMES, pair.next.games());
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("an event must fit in memory, but did not", e);
    }
    return new Event(pair.season.player.getBytes(StandardCharsets.UTF_8), bytes.toByteArray());
  }
}

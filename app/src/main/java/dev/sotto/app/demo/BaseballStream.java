package dev.sotto.app.demo;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.key.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * {"player":"aaronha01","year":1954,"experience":0,"games":122,"atBats":468,"hits":131,
 *  "nextYear":1955,"nextGames":153}
 * </pre>
 *
 * <p>{@code experience} counts the years since the player's first season, and so knows only the
 * past. {@code nextYear} and {@code nextGames} are the outcome.
 *
 * <p>Source: the file {@code baseballStats_data.csv} of Apache Pinot's examples (Apache-2.0), drawn
 * from Sean Lahman's baseball database (CC BY-SA). The build takes it out of a published artifact.
 */
public final class BaseballStream implements Iterable<BaseballStream.Event> {
  /** From this many games in the next season on, the label is 1. */
  public static final int REGULAR = 100;

  static final String SHA256 = "137c25956738a8f3b93bf114867bd665e434156427600ddc37ea0995fe55372c";

  private static final String FILE = "baseballStats_data.csv";

  private static final String REMEDY =
      "delete its folder and build again, with mvn -DskipTests package";

  private final List<Pair> pairs;

  /**
   * One event, ready to be sent. The arrays are not copied.
   *
   * @param key the player in UTF-8
   * @param value a JSON object in UTF-8
   */
  public record Event(byte[] key, byte[] value) {}

  /** A season and the next one. */
  private record Pair(Season season, int experience, Season next) {}

  /** One season of one player, over all teams that he played for in it. */
  private static final class Season {
    private final String player;
    private final int year;
    private int games;
    private int atBats;
    private int hits;

    Season(String player, int year) {
      this.player = player;
      this.year = year;
    }

    /** Adds the time with one team. */
    void add(Map<String, String> row) {
      games += count(row.get("numberOfGames"));
      atBats += count(row.get("AtBatting"));
      hits += count(row.get("hits"));
    }

    private static int count(String cell) {
      return cell.isEmpty() ? 0 : Integer.parseInt(cell);
    }
  }

  private BaseballStream(List<Pair> pairs) {
    this.pairs = pairs;
  }

  /**
   * Where the file is: {@code home} is the root of a checkout, after a build, or an installation.
   */
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
    String found = HexFormat.of().formatHex(Sha256.sha256(csv));
    if (!found.equals(SHA256)) {
      throw new IOException(
          file + " must have sha256 " + SHA256 + ", but has " + found + ": " + REMEDY);
    }
    return of(csv);
  }

  /** The stream of any such file, unchecked. */
  static BaseballStream of(byte[] csv) throws IOException {
    Map<String, TreeMap<Integer, Season>> careers = careers(csv);
    List<Pair> pairs = new ArrayList<>();
    for (TreeMap<Integer, Season> career : careers.values()) {
      Season current = null;
      for (Season next : career.values()) {
        if (current != null) {
          pairs.add(new Pair(current, current.year - career.firstKey(), next));
        }
        current = next;
      }
    }
    pairs.sort(Comparator.comparingInt((Pair pair) -> pair.next.year)
        .thenComparing(pair -> pair.next.player));
    return new BaseballStream(List.copyOf(pairs));
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

  /** The events in their order; each call yields the same bytes. */
  @Override
  public Iterator<Event> iterator() {
    return pairs.stream().map(BaseballStream::event).iterator();
  }

  private static Event event(Pair pair) {
    Season season = pair.season;
    Section fields = Section.untitled()
        .fact("player", season.player)
        .fact("year", season.year)
        .fact("experience", pair.experience)
        .fact("games", season.games)
        .fact("atBats", season.atBats)
        .fact("hits", season.hits)
        .fact("nextYear", pair.next.year)
        .fact("nextGames", pair.next.games);
    return new Event(
        season.player.getBytes(StandardCharsets.UTF_8),
        JsonRenderer.of(fields).getBytes(StandardCharsets.UTF_8));
  }
}

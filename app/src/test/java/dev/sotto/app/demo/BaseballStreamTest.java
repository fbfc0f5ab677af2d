package dev.sotto.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaseballStreamTest {
  private static final Path FILE = BaseballStream.file(Path.of(".."));
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HEADER =
      "playerID,yearID,playerStint,teamID,league,numberOfGames,AtBatting,runs,hits,doules,tripples,"
          + "homeRuns,runsBattedIn,stolenBases,baseOnBalls,strikeouts\n";

  private static BaseballStream stream;
  private static List<JsonNode> events;

  @BeforeAll
  static void read() throws IOException {
    stream = BaseballStream.read(FILE);
    events = parse(stream);
  }

  @Test
  void yieldsTheSizesItSays() {
    assertThat(events).hasSize(72_695);
    assertThat(events.stream().map(e -> e.get("player").asText()).distinct()).hasSize(13_035);
    long yes = events.stream().filter(e -> e.get("nextGames").asInt() >= 100).count();
    assertThat(yes / 72_695.0).isBetween(0.2729, 0.2730);
    assertThat(events.stream().filter(e -> gap(e) == 1)).hasSize(66_033);
  }

  @Test
  void staysInTheOrderInWhichOutcomesBecomeKnown() {
    assertThat(events)
        .isSortedAccordingTo(
            Comparator.comparingInt((JsonNode e) -> e.get("nextYear").asInt())
                .thenComparing(e -> e.get("player").asText()));
    assertThat(events).allMatch(e -> gap(e) >= 1);
  }

  @Test
  void chainsTheSeasonsOfEveryPlayer() {
    Map<String, JsonNode> last = new HashMap<>();
    for (JsonNode event : events) {
      JsonNode before = last.put(event.get("player").asText(), event);
      if (before == null) {
        if (event.get("experience").asInt() != 0) {
          throw new AssertionError("the first season: " + event);
        }
      } else {
        int years = event.get("year").asInt() - before.get("year").asInt();
        boolean chained = event.get("year").equals(before.get("nextYear"))
            && event.get("games").equals(before.get("nextGames"))
            && event.get("experience").asInt() - before.get("experience").asInt() == years;
        if (!chained) {
          throw new AssertionError(event + " behind " + before);
        }
      }
    }
  }

  @Test
  void keysEveryEventByItsPlayerAndRepeatsTheSameBytes() {
    var again = stream.iterator();
    int i = 0;
    for (BaseballStream.Event event : stream) {
      BaseballStream.Event other = again.next();
      String player = events.get(i++).get("player").asText();
      if (!Arrays.equals(event.value(), other.value())
          || !new String(event.key(), StandardCharsets.UTF_8).equals(player)) {
        throw new AssertionError("event " + i + ", of " + player);
      }
    }
  }

  @Test
  void keepsAKnownSeason() {
    JsonNode rookie = events.stream()
        .filter(e -> e.get("player").asText().equals("aaronha01"))
        .findFirst()
        .get();
    assertThat(rookie)
        .hasToString("{\"player\":\"aaronha01\",\"year\":1954,\"experience\":0,\"games\":122,"
            + "\"atBats\":468,\"hits\":131,\"nextYear\":1955,\"nextGames\":153}");
  }

  @Test
  void sumsTheStintsOfAYearAndReadsEmptyCountsAsZero() throws IOException {
    String csv = HEADER
        + "b,1901,2,NEW,AL,40,100,9,8,7,6,5,4,3,2,1\n"
        + "b,1901,1,OLD,NL,70,,,,,,,,,,\n"
        + "b,1904,1,NEW,AL,120,1,1,1,1,1,1,1,1,1,1\n"
        + "a,1904,1,NEW,AL,9,1,1,1,1,1,1,1,1,1,1\n";
    List<JsonNode> found = parse(BaseballStream.of(csv.getBytes(StandardCharsets.UTF_8)));
    assertThat(found).hasSize(1);
    assertThat(found.get(0).get("games").asInt()).isEqualTo(110);
    assertThat(found.get(0).get("atBats").asInt()).isEqualTo(100);
    assertThat(found.get(0).get("nextGames").asInt()).isEqualTo(120);
  }

  /** Bounds that clip more than a few seasons would waste what a linear model can see. */
  @ParameterizedTest
  @CsvSource({"atBats, 700", "experience, 25", "hits, 240"})
  void liesWithinTheBoundsOfTheDemo(String field, int high) {
    assertThat(DemoPlan.CONFIGURATION)
        .containsPattern("\\{field: " + field + ", min: 0, max: " + high + "[,}]");
    long outside = events.stream().filter(e -> e.get(field).asInt() > high).count();
    assertThat(outside).isLessThan(events.size() / 1000);
  }

  @Test
  void refusesAnotherFile(@TempDir Path folder) throws IOException {
    Path other = Files.writeString(folder.resolve("other.csv"), HEADER);
    assertThatThrownBy(() -> BaseballStream.read(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must have sha256 " + BaseballStream.SHA256 + ", but has ");
    assertThatThrownBy(() -> BaseballStream.read(folder.resolve("none.csv")))
        .hasMessageContaining("must exist, but does not: delete its folder");
  }

  private static int gap(JsonNode event) {
    return event.get("nextYear").asInt() - event.get("year").asInt();
  }

  private static List<JsonNode> parse(BaseballStream stream) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    for (BaseballStream.Event event : stream) {
      all.add(JSON.readTree(event.value()));
    }
    return all;
  }
}

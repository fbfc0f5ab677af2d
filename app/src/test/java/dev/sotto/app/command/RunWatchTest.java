package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.page.PublishedNow;
import dev.sotto.app.page.PublishedNow.Version;
import dev.sotto.app.view.MadeEntries;
import dev.sotto.app.view.Screen;
import dev.sotto.app.view.StatusLine;
import dev.sotto.learner.description.Section;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.topology.status.LifecyclePhase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunWatchTest {
  private static final long BEGAN = 1_000_000;

  private final StringWriter out = new StringWriter();
  private long seconds = 1;
  private SortedMap<String, SortedSet<Integer>> inputs = new TreeMap<>();
  private LifecyclePhase phase = LifecyclePhase.RUNNING;
  private PublishedNow published = published(0, List.of());
  private RunWatch watch = watch(Screen.none());

  private RunWatch watch(Screen screen) {
    RunEvents events = new RunEvents(
        RunEvents.Form.TEXT,
        Section.untitled(),
        new PrintWriter(out),
        new StatusLine(new PrintWriter(out), screen));
    return new RunWatch("clicks", events, () -> seconds * 1_000_000_000, BEGAN);
  }

  private static PublishedNow published(int partitions, List<Version> versions) {
    return new PublishedNow(
        true,
        versions,
        Map.of(),
        partitions,
        versions.isEmpty() ? OptionalLong.empty() : OptionalLong.of(12_345));
  }

  private static Version version(long round, double epsilon, boolean last) {
    return new Version(
        MadeEntries.entry("model", round, epsilon, last), BEGAN + round, 0.37912, 0.0021);
  }

  private void reads(int from, int to, boolean learns) {
    inputs = new TreeMap<>();
    SortedSet<Integer> numbers = new TreeSet<>();
    for (int i = from; i <= to; i++) {
      numbers.add(i);
    }
    inputs.put("clicks", numbers);
    if (learns) {
      inputs.put("app.order", new TreeSet<>(List.of(0)));
    }
  }

  /** The lines that one look adds. */
  private List<String> look() {
    int before = out.toString().length();
    watch.look(new RunWatch.Now(phase, inputs, published));
    return out.toString().substring(before).lines().toList();
  }

  @Test
  void saysWhenItRunsAndWhoTakesOverWhat() {
    phase = LifecyclePhase.RESTORING;
    assertThat(look()).isEmpty();
    phase = LifecyclePhase.RUNNING;
    reads(0, 1, false);
    assertThat(look()).containsExactly("running: reads clicks 0-1");
    assertThat(look()).isEmpty();
    reads(0, 3, true);
    assertThat(look())
        .containsExactly("takes over app.order 0; clicks 2-3; reads app.order 0; clicks 0-3");
    reads(1, 1, true);
    inputs.get("clicks").add(3);
    assertThat(look())
        .containsExactly(
            "hands over clicks 0, 2 to another instance; reads app.order 0; clicks 1, 3");
  }

  @Test
  void takesAMomentWithoutTasksForARebalance() {
    reads(0, 1, false);
    look();
    inputs = new TreeMap<>();
    assertThat(look()).isEmpty();
    reads(0, 1, false);
    assertThat(look()).isEmpty();
    inputs = new TreeMap<>();
    look();
    look();
    look();
    assertThat(look())
        .containsExactly("hands over clicks 0-1 to another instance; reads nothing now");
  }

  @Test
  void saysThatPartitionsWereAdded() {
    reads(0, 1, false);
    published = published(2, List.of());
    look();
    published = published(3, List.of());
    assertThat(look()).containsExactly("clicks has 3 partitions now, 2 before");
    published = published(0, List.of()); // a look that failed
    assertThat(look()).isEmpty();
  }

  @Test
  void saysANewVersionNowAndThenAndTheLast() {
    look();
    published = published(2, List.of(version(1, 0.5, false)));
    assertThat(look()).singleElement().asString().startsWith("published version 1, ");
    seconds = 30;
    published = published(2, List.of(version(2, 0.6, false)));
    assertThat(look()).isEmpty();
    seconds = 61;
    published = published(2, List.of(version(1_234, 0.7, false)));
    assertThat(look())
        .containsExactly("published version 1,234, 3,974 events/s, lag 12,345,"
            + " epsilon 0.7000 of 2, loss 0.3791 +- 0.0021");
    seconds = 70;
    published = published(2, List.of(version(1_300, 2, true)));
    List<String> end = look();
    assertThat(end).hasSize(2);
    assertThat(end.get(0)).contains("version 1,300", "nothing more is learned");
    assertThat(end.get(1))
        .isEqualTo("this version is the last: the budget is spent; nothing more is learned");
    assertThat(look()).isEmpty();
  }

  @Test
  void saysNothingOfVersionsThatWereThereBefore() {
    published = new PublishedNow(false, List.of(), Map.of(), 0, OptionalLong.empty());
    look();
    published = published(2, List.of(version(40, 0.5, false)));
    assertThat(look()).noneMatch(each -> each.startsWith("published"));
    published = published(2, List.of(version(41, 0.5, false)));
    assertThat(look()).anyMatch(each -> each.startsWith("published version 41"));
  }

  @Test
  void saysThatAnAliasMoved() {
    AliasTarget one = new AliasTarget("model", new byte[16], 1);
    ModelAlias old = ModelAlias.first("best", one, "ann", "").at(BEGAN - 1);
    published = new PublishedNow(true, List.of(), Map.of("best", old), 0, OptionalLong.empty());
    look();
    AliasTarget two = new AliasTarget("model", new byte[16], 2);
    ModelAlias moved = old.set(two, "gate", "loss 0.3, before 0.4").at(BEGAN + 5);
    ModelAlias fresh = ModelAlias.first("new", one, "ann", "").at(BEGAN + 6);
    published = new PublishedNow(
        true, List.of(), Map.of("best", moved, "new", fresh), 0, OptionalLong.empty());
    assertThat(look())
        .containsExactlyInAnyOrder(
            "alias best names model@2 (change 2): loss 0.3, before 0.4",
            "alias new names model@1 (change 1)");
    assertThat(look()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "160; running | version 1,234 | 1,233 events/s | lag 12,345 | epsilon 0.7000 of 2 |"
            + " loss 0.3791 +- 0.0021",
        "80; running | v1,234 | 1,233/s | lag 12,345 | eps 0.7000/2 | loss 0.3791",
        "60; running | v1,234 | 1,233/s | lag 12,345 | eps 0.7000/2",
        "30; running | v1,234 | 1,233/s",
        "9; running",
        "5; runn"
      })
  void showsAsMuchAsFitsTheTerminal(int columns, String shown) {
    reads(0, 0, false);
    published = published(1, List.of(version(1, 0.7, false)));
    look();
    watch = watch(Screen.terminal(() -> columns));
    look();
    seconds = 101;
    published = published(1, List.of(version(1_234, 0.7, false)));
    look();
    assertThat(List.of(out.toString().split("[\r\n]"))).last().isEqualTo(shown);
    assertThat(shown.length()).isLessThan(columns);
  }
}

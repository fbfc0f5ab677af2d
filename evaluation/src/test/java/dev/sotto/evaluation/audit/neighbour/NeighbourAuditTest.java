package dev.sotto.evaluation.audit.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.ForwardingDecoder;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two logs that differ in the records of one unit, from bytes to slots: every layout, unit and
 * adjacency, with and without labels that come later, candidates, blocks and a schema registry, while
 * tasks crash and move.
 */
class NeighbourAuditTest {
  private static final String YAML = """
      app.id: neighbours
      bootstrap.servers: localhost:9092
      events.topic: arrivals
      loss: logistic
      clip.norm: 1
      privacy.epsilon: 1e6
      privacy.delta: 1e-6
      privacy.noise.multiplier: 0.5
      checkpoint.slots: 37
      """;
  private static final List<String> FIELDS = List.of(
      "features.numeric.a.field=a",
      "features.numeric.a.min=-1",
      "features.numeric.a.max=1",
      "features.categorical.c.field=of.c",
      "features.categorical.c.optional=true",
      "features.hash.bits=3",
      "label.field=y");
  private static final List<String> PREFIXES =
      List.of("privacy.mechanism=binary-tree", "batch.size=6", "release.every.slots=6");

  private static final List<String> LAYOUTS =
      List.of("direct", "direct-partition", "direct-key", "direct-header", "ordered", "rounds");

  /** How events are written. */
  private enum Format {
    JSON(FIELDS),
    EXAMPLE(List.of("events.format=example", "features.dimension=3")),
    REGISTRY(and(
        FIELDS,
        "events.format=avro",
        "events.avro.framing=confluent",
        "events.registry.url=http://127.0.0.1:1")),
    /** Whose records are made in Avro too. */
    PROTOBUF(and(FIELDS, "events.format=protobuf", "events.registry.url=http://127.0.0.1:1"));

    private final List<String> settings;

    Format(List<String> settings) {
      this.settings = settings;
    }
  }

  /** Which records are one unit. */
  private enum Unit {
    RECORD(PREFIXES),
    RECORD_ID(and(PREFIXES, "privacy.contribution=first-of-id")),
    BUDGET(
        and(PREFIXES, "privacy.unit=key", "privacy.mechanism=blt", "privacy.contribution=budget")),
    SCHEDULE(and(
        PREFIXES,
        "privacy.unit=key",
        "privacy.mechanism=independent",
        "privacy.contribution=schedule",
        "privacy.contribution.most=3",
        "privacy.contribution.separation=2"));

    private final List<String> settings;

    Unit(List<String> settings) {
      this.settings = settings;
    }

    private boolean isPerson() {
      return this == BUDGET || this == SCHEDULE;
    }
  }

  /** What learns beside, or in another way. */
  private enum Kind {
    PLAIN(List.of()),
    LABELS_BY_KEY(List.of("events.labels.topic=outcomes", "events.labels.wait.ms=40")),
    LABELS_BY_FIELD(
        List.of("events.labels.topic=outcomes", "events.labels.wait.ms=40", "events.labels.id=id")),
    CANDIDATES(List.of(
        "candidates.a.ftrl.steps=decreasing", "candidates.b.ftrl.steps=auto", "metrics.share=0.1")),
    BLOCKS(List.of("algorithm=clipped-ac-sa", "block.slots=24"));

    private final List<String> settings;

    Kind(List<String> settings) {
      this.settings = settings;
    }
  }

  record Case(
      String layout, Format format, Unit unit, String unitFrom, Kind kind, String adjacency) {
    List<String> settings() {
      List<String> all = new ArrayList<>(format.settings);
      all.addAll(unit.settings);
      if (unit != Unit.RECORD) {
        all.add("unit.from=" + (unitFrom.equals("owners") ? "field" : unitFrom));
        if (unitFrom.equals("owners")) {
          all.add("unit.fields=user,peer");
        } else if (unitFrom.equals("field") && format != Format.EXAMPLE) {
          all.add("unit.field=user");
        }
      }
      all.addAll(kind.settings);
      if (kind == Kind.BLOCKS) {
        all.removeIf(each -> each.matches("(batch|release|privacy.mechanism).*"));
      }
      all.add("privacy.adjacency=" + adjacency);
      all.add("layout=" + layout.split("-")[0]);
      if (layout.contains("-")) {
        all.add("model.id.source=" + layout.split("-")[1]);
        if (layout.endsWith("header")) {
          all.add("model.id.header=model");
        }
      }
      return all;
    }

    /** Every configuration that there is. */
    static List<Case> all() {
      List<Case> all = new ArrayList<>();
      for (String layout : LAYOUTS) {
        for (Format format : Format.values()) {
          for (Unit unit : Unit.values()) {
            for (String from : List.of("field", "key", "owners")) {
              for (Kind kind : Kind.values()) {
                for (String adjacency : List.of("zero-out", "replace-one")) {
                  all.add(new Case(layout, format, unit, from, kind, adjacency));
                }
              }
            }
          }
        }
      }
      return all.stream().filter(Case::isOne).toList();
    }

    private boolean isOne() {
      boolean late = kind == Kind.LABELS_BY_KEY || kind == Kind.LABELS_BY_FIELD;
      return format != Format.PROTOBUF
          && !(layout.equals("rounds") && (unit != Unit.RECORD || late || kind == Kind.CANDIDATES))
          && !(late && format == Format.EXAMPLE)
          && !(kind == Kind.LABELS_BY_FIELD && format == Format.REGISTRY)
          && !(kind == Kind.BLOCKS && (unit == Unit.BUDGET || layout.equals("rounds")))
          && !(unit == Unit.RECORD && !unitFrom.equals("field"))
          && !(unitFrom.equals("owners") && (format != Format.JSON || late || !unit.isPerson()));
    }
  }

  private static List<String> and(List<String> some, String... more) {
    List<String> all = new ArrayList<>(some);
    for (String each : more) {
      String key = each.substring(0, each.indexOf('=') + 1);
      all.removeIf(before -> before.startsWith(key));
      all.add(each);
    }
    return all;
  }

  private static SottoConfig config(List<String> settings, List<String> more) {
    List<String> all = Stream.concat(settings.stream(), more.stream()).toList();
    return SottoConfig.load(ConfigSource.of("neighbours", YAML)
        .withEnvironment(Map.of())
        .withFlags(all)
        .withNoiseKey(NoiseKey.of(new byte[32])));
  }

  private static NeighbourAudit audit(Case of, int pairs, long seed) {
    List<String> settings = of.settings();
    return new NeighbourAudit(
        config(settings, List.of()), more -> config(settings, more), pairs, seed);
  }

  private static NeighbourResult run(Case of, Change change, int pairs, long seed) {
    List<String> settings = of.settings();
    return new NeighbourAudit(
            config(settings, List.of()),
            more -> config(settings, more),
            Collections.nCopies(pairs, change),
            seed)
        .run();
  }

  /** One of each layout, unit and adjacency, the rest of it in turn. */
  List<Case> cases() {
    Map<String, List<Case>> groups = Case.all().stream()
        .filter(each -> each.format() != Format.REGISTRY) // those have tests of their own
        .collect(Collectors.groupingBy(
            each -> each.layout() + each.unit() + each.adjacency(),
            TreeMap::new,
            Collectors.toList()));
    List<Case> some = new ArrayList<>();
    groups.values().forEach(each -> some.add(each.get(5 * some.size() % each.size())));
    return some;
  }

  /** Pairs of each of them. */
  int pairs() {
    return 1;
  }

  @Test
  void oneUnitMovesItsOwnSlotsAndNoOthers() {
    NeighbourResult sum = NeighbourResult.NONE;
    List<Case> cases = cases();
    for (int i = 0; i < cases.size(); i++) {
      NeighbourResult found = audit(cases.get(i), pairs(), Seed.of(i)).run();
      assertThat(found.faults()).as(cases.get(i).toString()).isEmpty();
      sum = sum.plus(found);
    }
    System.out.println(cases.size() + " configurations: " + sum); // docs/audit.md has the figures
    assertThat(sum.pairs()).isEqualTo(cases.size() * pairs()).isGreaterThan(40);
    NeighbourResult.Slots slots = sum.slots();
    assertThat(slots.used())
        .isGreaterThan(slots.compared() / 5); // units and late labels empty many
    assertThat(slots.moved()).isGreaterThan(sum.pairs() / 4);
    assertThat(sum.runs().restarts()).isGreaterThan(3L * sum.pairs());
    assertThat(sum.runs().otherwise()).isGreaterThan(sum.pairs() / 20);
  }

  /** Where one record once decided the slots of others: see testkit/faults.txt. */
  @ParameterizedTest
  @CsvSource({
    "direct, REGISTRY, PLAIN, SCHEMA",
    "ordered, REGISTRY, PLAIN, SCHEMA",
    "rounds, REGISTRY, PLAIN, SCHEMA",
    "direct, PROTOBUF, PLAIN, SCHEMA",
    "direct, REGISTRY, LABELS_BY_KEY, SCHEMA",
    "direct, JSON, LABELS_BY_KEY, LARGE",
    "ordered, JSON, LABELS_BY_FIELD, LARGE",
    "direct, JSON, LABELS_BY_FIELD, HEADERS",
    "ordered, JSON, PLAIN, LARGE"
  })
  void oneRecordDecidesOneSlot(String layout, Format format, Kind kind, Change change) {
    Case of = new Case(layout, format, Unit.RECORD, "field", kind, "replace-one");
    int pairs = kind == Kind.PLAIN ? 2 : 6; // an id of several events must be among them
    NeighbourResult found = run(of, change, pairs * pairs(), Seed.of(7));
    assertThat(found.faults()).isEmpty();
    assertThat(found.slots().most()).isLessThanOrEqualTo(1);
  }

  /** What a record of two persons holds decides nobody's later slots, unreadable or not. */
  @ParameterizedTest
  @EnumSource(
      value = Change.class,
      names = {"OTHER", "EMPTIED", "GARBAGE", "CUT", "WRONG", "HUGE"})
  void aRecordOfTwoIsChargedToBothWhateverItHolds(Change change) {
    Case of = new Case("direct", Format.JSON, Unit.BUDGET, "owners", Kind.PLAIN, "replace-one");
    NeighbourResult found = run(of, change, 2 * pairs(), Seed.of(8));
    assertThat(found.faults()).isEmpty();
    assertThat(found.slots().moved()).isPositive();
  }

  /** The twin: a decoder that names no owners of what it cannot read. */
  @Test
  void findsARecordOfTwoThatIsChargedByWhatItHolds() {
    Case of = new Case("direct", Format.JSON, Unit.BUDGET, "owners", Kind.PLAIN, "replace-one");
    SottoConfig sound = config(of.settings(), List.of());
    LearnerSettings forgetting = sound
        .learner()
        .with(() -> new ForwardingDecoder(sound.learner().decoder().get()) {
          @Override
          public RecordStatus decode(byte[] key, byte[] value, Slot into) {
            RecordStatus status = super.decode(key, value, into);
            if (status != RecordStatus.USED) {
              into.clear();
            }
            return into.status(status);
          }
        });
    SottoConfig config = new SottoConfig(
        forgetting, sound.service(), sound.http(), sound.effective(), sound.warnings());
    // 44 of 150 pairs under other seeds show it: none of 64 does once in 3e9 runs.
    assertThat(IntStream.range(0, 64)
            .mapToObj(each -> audit(config, Change.WRONG, 1, Seed.of(9) + each).run())
            .flatMap(each -> each.faults().stream())
            .anyMatch(each -> each.contains("is another unit's")))
        .isTrue();
  }

  private static NeighbourAudit audit(SottoConfig config, Change change, int pairs, long seed) {
    return new NeighbourAudit(config, more -> config, Collections.nCopies(pairs, change), seed);
  }

  /** A decoder that reads nothing for a while after a large record. */
  private static final class Remembering extends ForwardingDecoder {
    private static final int LARGE = 1 << 19;
    private static final int WHILE = 10;

    private int left;

    Remembering(EventDecoder own) {
      super(own);
    }

    @Override
    public RecordStatus decode(byte[] key, byte[] value, Slot into) {
      RecordStatus status = super.decode(key, value, into);
      boolean tired = left-- > 0;
      left = value != null && value.length > LARGE ? WHILE : left;
      return tired ? into.status(RecordStatus.UNREADABLE) : status;
    }
  }

  @Test
  void findsWhatOneRecordDecidesOfOthers() {
    Case of = new Case("direct", Format.JSON, Unit.RECORD, "field", Kind.PLAIN, "zero-out");
    SottoConfig sound = config(of.settings(), List.of());
    LearnerSettings remembering =
        sound.learner().with(() -> new Remembering(sound.learner().decoder().get()));
    SottoConfig config = new SottoConfig(
        remembering, sound.service(), sound.http(), sound.effective(), sound.warnings());
    // 144 of 150 pairs under other seeds show it, 6 of them by a restart that was refused.
    CheckResult check = audit(config, Change.LARGE, 5, Seed.of(3)).check();
    assertThat(check.holds()).isFalse();
    assertThat(check.figure()).isPositive();
    assertThat(check.says()).contains("5 pairs of neighbouring logs", "; first: pair ");
  }
}

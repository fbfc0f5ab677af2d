package dev.sotto.app.command;

import dev.sotto.app.init.ConfigurationFile;
import dev.sotto.app.init.EventSource;
import dev.sotto.app.init.SampleReader;
import dev.sotto.app.init.SampledEvents;
import dev.sotto.app.init.UnitChoice;
import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.plan.PlanForecast;
import dev.sotto.evaluation.plan.PlanScenario;
import dev.sotto.evaluation.plan.QuietestSet;
import dev.sotto.evaluation.plan.RangesOfFile;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The configuration that {@code learn} makes for a file: that of {@code init}, with versions and
 * noise for its number of records.
 */
final class FileConfiguration {
  private static final long ROWS = 100_000;

  /** Where counting ends: noise that is chosen for this number of records does for more. */
  private static final long MOST_COUNTED = 1L << 22;

  /** The fewest versions of a file: what comes behind the last one is in no model. */
  private static final long VERSIONS = 16;

  private static final long SHORTEST_VERSION = 64;

  private final Said said;
  private final LearnFolder folder;
  private final SampledEvents events;
  private final EventSource source;
  private final long records; // in the file; of a very long one, at least
  private boolean isCounted; // whether there are no more
  private String text;
  private QuietestSet noise; // chosen for the file; null where somebody has said it
  private long batch; // slots of its rounds
  private long rangeSlots; // the window chosen for the file; 0 for the usual one
  private long usualRangeSlots;

  /**
   * What somebody has said.
   *
   * @param label the field, or null
   * @param settings by their keys
   */
  record Said(String label, UnitChoice unit, Map<String, String> settings) {}

  /** Reads a sample of a file, and how many records there are. */
  FileConfiguration(RecordingInput input, boolean isPublic, Said said, LearnFolder folder) {
    this.said = said;
    this.folder = folder;
    events = new SampleReader(isPublic, ROWS).file(input.file(), input.options(), Optional.empty());
    records = counted(input);
    source = new EventSource(
        input.file().getFileName().toString(),
        InitCommand.appId(LearnFolder.shortName(input.file())),
        "localhost:9092",
        Optional.empty());
    text = made();
  }

  /** Records of the file, what cannot be read included: their number is public, as offsets are. */
  private long counted(RecordingInput input) {
    try (Recording recording = Recordings.open(input.file(), input.options())) {
      RecordingHeader header = recording.header();
      isCounted = true;
      if (header.records().isPresent() || events.records() < ROWS) {
        return header.records().orElse(events.records());
      }
      long count = 0;
      for (RecordedRange range : header.ranges()) {
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (count < MOST_COUNTED && cursor.next()) {
            count++;
          }
        }
      }
      isCounted = count < MOST_COUNTED;
      return count;
    }
  }

  private String made() {
    return new ConfigurationFile(events, source, source.topic(), said.settings())
        .ofAFile(versionSlots(), VersionKeys.LEAST_SLOTS)
        .withNoise(noise, batch)
        .withRanges(rangeSlots)
        .text(said.label(), said.unit(), folder.noiseKey().toString());
  }

  /** Slots of a version where the file is too short for those of a stream; 0 where it is not. */
  private long versionSlots() {
    return records >= VERSIONS * VersionKeys.LEAST_SLOTS
        ? 0
        : Math.max(SHORTEST_VERSION, Long.highestOneBit(records / VERSIONS));
  }

  /** Prints what a person should know of the sample. */
  void notes(InitCommand.Unit unit, PrintWriter errors) {
    InitCommand.notes(events, text, said.label(), unit, errors);
  }

  /** What nobody has said, and no sample can tell. */
  List<String> toBeStated() {
    return ConfigurationFile.toBeStated(text);
  }

  /** How many records the file has; -1 if they are too many to count. */
  long counted() {
    return isCounted ? records : -1;
  }

  /** The file's text. */
  String text() {
    return text;
  }

  /** Flags that put what is for a stream without an end in the place of what is for the file. */
  String forAStream() {
    return (noise == null ? "" : flag(noise.key(), noise.endless()))
        + (rangeSlots == 0 ? "" : flag(FeatureKeys.RANGES_SLOTS, usualRangeSlots));
  }

  /**
   * The same of a configuration that is there, as far as it has what the file would be given.
   *
   * @param records of the file
   * @param with that configuration with one more flag
   */
  static String forAStream(SottoConfig config, long records, Function<String, SottoConfig> with) {
    Plan plan = config.learner().plan();
    String noise = quietest(config, records, Set.of())
        .filter(each -> each.set().equals(plan.mechanism().set()))
        .filter(each -> !each.set().equals(each.endless()))
        .map(each -> flag(each.key(), each.endless()))
        .orElse("");
    Optional<Long> window = config.effective().find(FeatureKeys.RANGES_SLOTS);
    if (window.isEmpty()) {
      return noise;
    }
    Plan usual = with.apply(FeatureKeys.RANGES_SLOTS.name() + "=" + Long.MAX_VALUE)
        .learner()
        .plan();
    return RangesOfFile.most(records, usual) == window.get()
        ? noise + flag(FeatureKeys.RANGES_SLOTS, RangesOfFile.usual(usual))
        : noise;
  }

  private static String flag(ConfigKey<?> key, Object value) {
    return " --set " + key.name() + "=" + value;
  }

  /** Chooses the noise, and checks everything; the noise key must be there. */
  SottoConfig load() {
    SottoConfig usual = checked();
    noise = quietest(usual, records, said.settings().keySet()).orElse(null);
    rangeSlots = rangeSlots(usual);
    if (noise == null && rangeSlots == 0) {
      return usual;
    }
    batch = usual.learner().plan().batch();
    text = made();
    return checked();
  }

  private SottoConfig checked() {
    String name = folder.config().toString();
    try {
      return SottoConfig.load(
          ConfigSource.of(name, text).withEnvironment(System.getenv()).withEmbedded(true));
    } catch (ConfigException refused) { // of a file that nobody will find
      String place = " \\(" + Pattern.quote(name) + " line \\d+\\)";
      String errors = refused.errors().stream()
          .map(each -> "\n  " + each.message().replaceAll(place, ""))
          .collect(Collectors.joining());
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "nothing can be learned with these settings, and nothing was written. Change them with"
              + " --set KEY=VALUE:" + errors,
          refused);
    }
  }

  /** The window of ranges for as many records as there are; 0 for the usual one. */
  private long rangeSlots(SottoConfig usual) {
    LearnerSettings learner = usual.learner();
    boolean ofOne = learner.modelIds().source() == ModelIdRule.Source.CONSTANT;
    if (!ofOne || said.settings().containsKey(FeatureKeys.RANGES_SLOTS.name())) {
      return 0;
    }
    usualRangeSlots = RangesOfFile.usual(learner.plan());
    return RangesOfFile.most(records, learner.plan());
  }

  /**
   * The noise for as many records as there are, where nobody has said another one, and where they
   * are all of one model.
   */
  private static Optional<QuietestSet> quietest(SottoConfig usual, long records, Set<String> said) {
    boolean ofOne = usual.learner().modelIds().source() == ModelIdRule.Source.CONSTANT;
    if (!ofOne || records == 0) {
      return Optional.empty();
    }
    PlanScenario scenario = new PlanScenario(
        usual.learner().plan(),
        usual.effective().find(PlanKeys.HORIZON).orElse(PlanForecast.LIMIT),
        usual.effective().get(PlanKeys.METRICS_SHARE));
    return QuietestSet.keyOf(scenario)
        .filter(key -> !said.contains(key.name()))
        .map(key -> QuietestSet.of(records, scenario));
  }
}

package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import dev.sotto.evaluation.plan.QuietestSet;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.MissingMarks;
import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.settings.ApplicationKeys;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A commented configuration from a sample of events. */
public final class ConfigurationFile {
  /** What may be said of a learner whose labels have a measured range: others may need bounds. */
  private static final Set<String> WITH_MEASURED_LABELS = Set.of(
      ApplicationKeys.RUN_LABEL.name(),
      EventKeys.COMMA.name(),
      ObjectiveSettings.LOSS.name(),
      PlanKeys.EPSILON.name(),
      PlanKeys.BATCH_SIZE.name(),
      VersionKeys.SLOTS.name());

  private static final Set<String> MEASURED_LOSSES = Set.of(
      Losses.SQUARED.configName(), Losses.ABSOLUTE.configName(), Losses.QUANTILE.configName());

  private final SampledEvents events;
  private final EventSource source;
  private final String appId;
  private final ConfigLines lines;
  private final boolean labelMayBeMeasured; // as far as somebody has said anything
  private boolean measured;
  private boolean ofAFile;
  private long versionSlots;
  private long usualSlots;
  private QuietestSet noise; // null for the default
  private long roundSlots;
  private long rangeSlots;

  /** Of events that were looked at. */
  public ConfigurationFile(SampledEvents events, EventSource source, String appId) {
    this(events, source, appId, Map.of());
  }

  /**
   * The same, some of which somebody has said.
   *
   * @param stated values by key, in the place of what would stand there
   */
  public ConfigurationFile(
      SampledEvents events, EventSource source, String appId, Map<String, String> stated) {
    this.lines = new ConfigLines(stated);
    this.labelMayBeMeasured = WITH_MEASURED_LABELS.containsAll(stated.keySet())
        && MEASURED_LOSSES.contains(
            stated.getOrDefault(ObjectiveSettings.LOSS.name(), Losses.SQUARED.configName()));
    this.events = events;
    Object comma = EventKeys.COMMA.domain().read(stated.getOrDefault(EventKeys.COMMA.name(), ""));
    if (comma instanceof NumberComma said) {
      events.sample().settle(said);
    }
    this.source = source;
    this.appId = appId;
  }

  /** The same, with private metrics, where nothing else tells how good a model is. */
  public ConfigurationFile withMetrics() {
    measured = true;
    return this;
  }

  /**
   * The same for a model out of a file, whose figures are known exactly, and with which nobody goes
   * on.
   *
   * @param slots of a version, where the file is too short for the usual ones; 0 where it is not
   * @param usual those of a stream
   */
  public ConfigurationFile ofAFile(long slots, long usual) {
    ofAFile = true;
    versionSlots = slots;
    usualSlots = usual;
    return this;
  }

  /**
   * The same with parameters of the noise for as many records as a file has.
   *
   * @param set null for the default
   * @param batch slots of a round
   */
  public ConfigurationFile withNoise(QuietestSet set, long batch) {
    noise = set;
    roundSlots = batch;
    return this;
  }

  /**
   * The same with a shorter window in which ranges of numbers are measured.
   *
   * @param slots 0 for the usual window
   */
  public ConfigurationFile withRanges(long slots) {
    rangeSlots = slots;
    return this;
  }

  /**
   * The text.
   *
   * @param label the path of the label; null where nobody has said it
   * @param keyFile the file with the noise key
   * @throws dev.sotto.topology.failure.SottoException where label or unit is no field of the sample
   */
  public String text(String label, UnitChoice unit, String keyFile) {
    Sample sample = events.sample();
    FieldChoices choices = new FieldChoices(sample, source.name());
    if (events.isReadyMade()) {
      choices.refuseAll(label, unit);
    }
    SampleField labelField = choices.label(label);
    choices.checkUnit(unit, label);
    header();
    lines.gap().setting(ApplicationKeys.APP_ID, appId, "its topics begin with this name");
    lines.setting(ApplicationKeys.BOOTSTRAP_SERVERS, source.servers());
    lines.setting(ApplicationKeys.EVENTS_TOPIC, source.topic());
    format();
    lines.gap();
    if (events.isReadyMade()) {
      new ReadyMadeSection(events, lines).write();
    } else {
      new FeatureSection(
              sample, each -> each.equals(labelField) || each.path().equals(unit.field()), lines)
          .write();
      new LabelSection(sample, lines.gap(), ofAFile && labelMayBeMeasured).write(labelField);
    }
    PrivacySection privacy = new PrivacySection(sample, lines.gap(), ofAFile);
    privacy.write(unit, keyFile);
    if (measured) {
      privacy.writeMetrics();
    } else if (ofAFile) {
      privacy.suggestMetrics();
    }
    if (versionSlots > 0 && !lines.isSaid(VersionKeys.SLOTS)) {
      lines
          .gap()
          .comment("Short versions, since the file is short. On a topic " + usualSlots
              + ", as in the command that learn has printed, or its ledger grows too fast.")
          .setting(VersionKeys.SLOTS, versionSlots);
    }
    if (!ofAFile) {
      Mechanisms usual = Mechanisms.MECHANISM.standard(); // of every algorithm that init writes
      lines
          .gap()
          .comment("Noise that disturbs a learner least on a stream without an end (docs/blt.md). A"
              + " run that began without this line has " + usual.make().set()
              + " and must keep it.")
          .setting(usual.parameterKey().orElseThrow(), usual.endlessSet().orElseThrow());
    } else if (noise != null) {
      lines
          .gap()
          .comment("Noise that disturbs a learner least on as many records as the file has. What it"
              + " costs holds for any number, but behind them its error grows. So put another set"
              + " here on a topic, as the command that learn has printed does (docs/blt.md).")
          .setting(noise.key(), noise.set());
      if (!lines.isSaid(PlanKeys.BATCH_SIZE)) {
        lines.setting(PlanKeys.BATCH_SIZE, roundSlots, "as without that line");
      }
    }
    if (rangeSlots > 0) {
      lines
          .gap()
          .comment("Ranges of numbers are measured in a tenth of the file, since it is short. On a"
              + " topic they may take longer, as in the command that learn has printed, and are"
              + " truer then (docs/numbers.md).")
          .setting(FeatureKeys.RANGES_SLOTS, rangeSlots);
    }
    lines.rest();
    return lines.text();
  }

  /** The lines of a text on which something is still to be stated. */
  public static List<String> toBeStated(String text) {
    return text.lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.replaceFirst(" # .*", ""))
        .filter(line -> line.contains(ConfigText.TO_DO))
        .map(String::strip)
        .toList();
  }

  private void header() {
    if (events.sample().isPublic()) {
      lines.comment("Made by sotto init from " + source.name() + ", whose values were said to be"
          + " public or made up. Bounds, classes and numbers of values below are taken from these"
          + " values, and what stands in a configuration is published with every model. If the"
          + " sample is not public, make this file again without --sample-is-public.");
    } else {
      lines.comment("Made by sotto init from " + source.name() + ". Names and types of fields are"
          + " taken from there and count as public, so look through them before others see this"
          + " file: what few records decide stands in comments. Nothing else of it is in this file."
          + " What stands in a configuration is published with every model: state each TODO from"
          + " public knowledge, never from the events.");
    }
    lines.comment("Then check: sotto run -c FILE --check. All settings: docs/configuration.md.");
  }

  private void format() {
    if (events.isReadyMade()) {
      lines.setting(EventKeys.FORMAT, EventKeys.EXAMPLE);
    }
    NumberComma comma = events.sample().comma();
    if (comma != NumberComma.NONE) {
      lines.setting(
          EventKeys.COMMA,
          comma.word(),
          comma == NumberComma.DECIMAL ? "1.234,5 is a number" : "1,234.5 is a number");
    }
    if (!events.isReadyMade()) {
      lines.setting(
          EventKeys.MISSING,
          MissingMarks.USUAL.word(),
          "NA, NaN, null, none, ?, - and the like are missing where a number is due");
    }
    source.schema().ifPresent(file -> {
      switch (EventSource.kind(file)) {
        case PROTOBUF -> registered(EventKeys.PROTOBUF);
        case JSON -> registered(EventKeys.JSON_SCHEMA);
        case AVRO -> avro(file);
      }
    });
  }

  private void registered(String format) {
    lines.setting(EventKeys.FORMAT, format);
    lines.toDo(RegistrySettings.URL, "the registry with the schemas of the ids in the records");
  }

  private void avro(Path file) {
    lines.setting(EventKeys.FORMAT, EventKeys.AVRO);
    lines.setting(EventKeys.AVRO_SCHEMAS, List.of(file.toString()));
    ConfigKey<AvroFraming> framing = EventKeys.AVRO_FRAMING;
    String raw = String.valueOf(framing.domain().plain(AvroFraming.RAW));
    if (events.isRawAvro()) {
      lines.setting(framing, raw, "the records have no single-object header");
    } else if (events.sample().records() == 0) {
      lines.suggested(framing, raw, "where records have no single-object header");
    }
  }
}

package dev.sotto.client;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.event.AvroEventDecoder;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.RegisteredEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.FieldUse;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.LabelScale;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.serdes.registry.WriterSchemas;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * One published version of a model, ready to score: it follows from the manifest and the weights
 * alone, and predicts bit for bit what the learner predicts. Immutable and safe for use by several
 * threads; each thread takes a {@link #scorer()} of its own.
 */
public final class ScoringModel {
  private static final String EXAMPLES = "examples 1\n";
  private static final String AVRO = "avro ";
  private static final String RAW = "raw";
  private static final String CONFLUENT = "confluent";
  private static final String MAX_BYTES = "max-bytes ";

  private final PublishedModel published;
  private final Objective objective;
  private final int inputs;
  private final FeatureMapText features; // null where events are not mapped by their fields
  private final Optional<LabelScale> labels;

  private ScoringModel(PublishedModel published, Objective objective, FeatureMapText features) {
    this.published = published;
    this.objective = objective;
    this.features = features;
    this.inputs = objective.inputs(published.weights().length);
    this.labels = Optional.ofNullable(features).flatMap(FeatureMapText::labelScale);
    if (features != null && features.scoringMap().dimension() != inputs) {
      throw new IllegalArgumentException(
          "the manifest names " + features.scoringMap().dimension() + " features, but there are "
              + published.weights().length + " weights for loss " + manifest().loss());
    }
  }

  /**
   * Reads what a manifest says of its model.
   *
   * @param published a version whose digest has been checked
   * @throws IllegalArgumentException where this version of Sotto does not understand the manifest,
   *     or does not know the loss, or where the range of the label was not found; the message says
   *     what it met
   */
  public static ScoringModel of(PublishedModel published) {
    ModelSnapshot manifest = published.manifest();
    Objective objective = Objectives.named(manifest.loss())
        .orElseThrow(() -> new IllegalArgumentException(
            "this version of Sotto does not know the loss " + manifest.loss()
                + ": use a newer one or, where it is a loss of your own, predict from the weights"
                + " with your own code"));
    String text = manifest.features();
    boolean mapped = text.startsWith("feature-map ");
    return new ScoringModel(published, objective, mapped ? FeatureMapText.parse(text) : null);
  }

  /** A scorer for one thread, for events in JSON, maps and vectors. */
  public Scorer scorer() {
    return new Scorer(this, decoder());
  }

  /**
   * A scorer for one thread, for events in Avro, maps and vectors.
   *
   * @param writers the schemas that events may have; exactly one with {@link AvroFraming#RAW}
   * @throws IllegalArgumentException where a feature is in none of them
   */
  public Scorer scorer(AvroFraming framing, List<Schema> writers) {
    return new Scorer(this, new AvroEventDecoder(featureMap(), framing, writers, maxBytes()));
  }

  /**
   * A scorer for one thread, for events that name their schemas by ids of a registry: of the kind
   * from which the model learns, or of Avro where it learns from others.
   *
   * @param ids asked once for every id that it knows; what it throws comes out of the scorer
   */
  public Scorer scorer(WriterSchemas ids) {
    WriterSchema.Kind kind =
        EventKeys.registered(form().split(" ")[0]).orElse(WriterSchema.Kind.AVRO);
    return new Scorer(
        this,
        new RegisteredEventDecoder(featureMap(), kind, SchemaIds.namedIn(form()), ids, maxBytes()));
  }

  /** How events are written from which it learns; empty where they have no fields. */
  private String form() {
    return features == null ? "" : features.further("events").orElse("");
  }

  /**
   * Whether it learns from events that name their schemas by ids of a registry: then a
   * {@link #scorer(WriterSchemas)} reads them.
   */
  public boolean namesSchemasById() {
    String[] words = form().split(" ");
    return words.length > 1
        && words[1].equals(CONFLUENT)
        && EventKeys.registered(words[0]).isPresent();
  }

  /**
   * A scorer for one thread, for events in the form from which the model learns.
   *
   * @param writers the schemas that Avro events may have; not used where they are JSON
   * @throws IllegalArgumentException where they are Avro and these schemas do not fit
   */
  public Scorer scorer(List<Schema> writers) {
    String form = form();
    if (namesSchemasById()) {
      throw new IllegalArgumentException("the events of model " + modelId()
          + " name schemas by ids of a registry: a list of schemas does not say which is which");
    }
    if (!form.startsWith(AVRO)) {
      return scorer();
    }
    if (writers.isEmpty()) {
      throw new IllegalArgumentException("the events of model " + modelId() + " are Avro ("
          + form.substring(AVRO.length()) + "), but no schema is given");
    }
    String[] words = form.substring(AVRO.length()).split(" ");
    if (!words[0].equals(RAW)) {
      return scorer(AvroFraming.SINGLE_OBJECT, writers);
    }
    String fingerprint = Long.toHexString(SchemaNormalization.parsingFingerprint64(writers.get(0)));
    if (words.length > 1 && !words[1].equals(fingerprint)) {
      throw new IllegalArgumentException("the events of model " + modelId()
          + " are Avro without a header, by the schema of fingerprint " + words[1]
          + ", but the schema that is given has " + fingerprint);
    }
    return scorer(AvroFraming.RAW, writers);
  }

  private EventDecoder decoder() {
    if (manifest().features().startsWith(EXAMPLES)) {
      return new ExampleCodec(inputs, maxBytes(), UnitSource.NONE);
    }
    return features == null ? null : new JsonEventDecoder(featureMap(), maxBytes());
  }

  /** The longest event that is learned from; longer ones are not scored either. */
  private int maxBytes() {
    return manifest()
        .features()
        .lines()
        .filter(line -> line.startsWith(MAX_BYTES))
        .map(line -> Integer.parseInt(line.substring(MAX_BYTES.length())))
        .findFirst()
        .orElse(JsonEventDecoder.DEFAULT_MAX_BYTES);
  }

  /** The version as it was published. */
  public PublishedModel published() {
    return published;
  }

  public ModelSnapshot manifest() {
    return published.manifest();
  }

  public String modelId() {
    return manifest().modelId();
  }

  /** The number of rounds behind it. */
  public long version() {
    return manifest().version();
  }

  /** What it promises, together with all versions before it. */
  public Guarantee guarantee() {
    return manifest().guarantee();
  }

  /** The number of coordinates of a feature vector. */
  public int inputs() {
    return inputs;
  }

  /** Whether {@link Scorer#score(byte[])} and maps work: otherwise only vectors can be scored. */
  public boolean readsFields() {
    return features != null;
  }

  /** The fields of an event that it looks at; empty where events are not mapped by their fields. */
  public List<String> fields() {
    return features == null ? List.of() : features.scoringMap().fields();
  }

  /**
   * Whether a field is read as a number; otherwise it is a category: a text, a number or a boolean.
   *
   * @param field one of {@link #fields()}
   */
  public boolean isNumber(String field) {
    return featureMap().uses().getOrDefault(field, Set.of()).contains(FieldUse.NUMBER);
  }

  /** The number of figures of a prediction: one, or a probability for each class. */
  public int outputs() {
    return objective.outputs();
  }

  /** How events become vectors. */
  FeatureMap featureMap() {
    if (features == null) {
      throw new IllegalStateException(
          "model " + modelId() + " learns from events that are not mapped by their fields ("
              + manifest().features().lines().findFirst().orElse("")
              + "): score their vectors instead");
    }
    return features.scoringMap();
  }

  /** The names of the classes, by number; empty where classes have none. */
  public List<String> classNames() {
    return labelRule()
        .filter(LabelRule.Names.class::isInstance)
        .map(rule -> ((LabelRule.Names) rule).texts())
        .orElse(List.of());
  }

  /** How predictions become labels in the unit of their field; empty where they are already. */
  public Optional<LabelScale> labelScale() {
    return labels;
  }

  /** How the label came out of its field; empty where events are not mapped by their fields. */
  public Optional<LabelRule> labelRule() {
    return Optional.ofNullable(features).map(FeatureMapText::labelRule);
  }

  Objective objective() {
    return objective;
  }
}

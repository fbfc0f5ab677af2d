package dev.sotto.topology.settings;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.StoragePlace;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.registry.SchemaRegistry;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * What to learn, from where, and how often to write it down.
 *
 * @param app application id, and the beginning of every topic's name
 * @param layout who cuts the rounds
 * @param events the users' events, and how they are read
 * @param run what is learned from them
 * @param cadence how often state is written
 * @param encryption of stores and internal topics
 */
public record LearnerSettings(
    String app, Layout layout, Events events, Run run, Cadence cadence, Encryption encryption) {
  public LearnerSettings {
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(encryption, "encryption");
    if (events.decoders().size() != run.candidates().number()) {
      throw new IllegalArgumentException(
          "there must be a decoder for each of " + run.candidates().number()
              + " models, but there are " + events.decoders().size());
    }
    layout.check(events, run);
  }

  /** Settings without encryption. */
  public LearnerSettings(String app, Layout layout, Events events, Run run, Cadence cadence) {
    this(app, layout, events, run, cadence, Encryption.none());
  }

  /**
   * The users' events.
   *
   * @param topic what is learned from: the users' topic, or the learner's own of labelled events
   * @param modelIds where a record's model comes from
   * @param decoders each makes one decoder of event values a task; one for each candidate
   * @param labels that come later, if they do
   * @param registry that the decoders ask for schemas, if they do
   */
  public record Events(
      String topic,
      ModelIdRule modelIds,
      List<Supplier<EventDecoder>> decoders,
      Optional<LateLabels> labels,
      Optional<SchemaRegistry> registry) {
    public Events {
      Objects.requireNonNull(registry, "registry");
      Objects.requireNonNull(modelIds, "modelIds");
      Objects.requireNonNull(labels, "labels");
      decoders = List.copyOf(decoders);
    }

    /** Events that hold their labels. */
    public Events(String topic, ModelIdRule modelIds, Supplier<EventDecoder> decoder) {
      this(topic, modelIds, List.of(decoder), Optional.empty(), Optional.empty());
    }
  }

  /**
   * What is learned.
   *
   * @param candidates the models that learn beside each other: at least one
   * @param key the noise key
   * @param label names the run; a new label is a new run
   * @param observer sees every round
   * @param start the published model at which it begins, if it does at one
   */
  public record Run(
      CandidateModels candidates,
      NoiseKey key,
      String label,
      RoundObserver observer,
      Optional<Start> start) {
    public Run {
      Objects.requireNonNull(candidates, "candidates");
      Objects.requireNonNull(observer, "observer");
      Objects.requireNonNull(start, "start");
    }

    /**
     * A run of a model that learns alone: nobody observes it, and it begins where its loss does.
     */
    public Run(Plan plan, NoiseKey key, String label) {
      this(CandidateModels.of(plan), key, label, RoundObserver.NONE, Optional.empty());
    }

    /** The plan of the first candidate: what candidates share is in all plans. */
    public Plan plan() {
      return candidates.plan();
    }

    /** The plan of a model; of one that no candidate is, that of the first. */
    public Plan planOf(String modelId) {
      return candidates.of(modelId).map(CandidateModels.One::plan).orElseGet(this::plan);
    }

    /**
     * What the run at whose model this one began had learned of the event topic, where this one
     * must not learn it again; empty where it may.
     */
    public List<OffsetRange> learnedBefore() {
      return start
          .map(each -> each.model().records())
          .filter(StartingModel.Records::newOnly)
          .map(StartingModel.Records::learned)
          .orElse(List.of());
    }
  }

  /**
   * The published model at which a run begins.
   *
   * @param model with what it has cost
   * @param fromTopics whether it was read from a cluster's topics, which forget: then the run
   *     remembers it in a topic of its own
   * @param notes what of it carries over, and what it costs, one sentence or phrase each
   */
  public record Start(StartingModel model, boolean fromTopics, List<String> notes) {
    public Start {
      Objects.requireNonNull(model, "model");
      notes = List.copyOf(notes);
    }
  }

  /** The same, observed. */
  public LearnerSettings with(RoundObserver observer) {
    Run changed = new Run(run.candidates(), key(), label(), observer, run.start());
    return new LearnerSettings(app, layout, events, changed, cadence, encryption);
  }

  /**
   * The same with labels that come later, or without: then the events hold them, and so their
   * decoders decide what is learned from.
   */
  public LearnerSettings with(Optional<LateLabels> labels) {
    String topic = labels.isPresent() ? Names.labelled(app) : sourceTopic();
    Events changed = new Events(topic, modelIds(), events.decoders(), labels, events.registry());
    return new LearnerSettings(app, layout, changed, run, cadence, encryption);
  }

  /** The same with another encryption. */
  public LearnerSettings with(Encryption other) {
    return new LearnerSettings(app, layout, events, run, cadence, other);
  }

  /** The same under another noise key, which gives another run. */
  public LearnerSettings with(NoiseKey other) {
    Run changed = new Run(run.candidates(), other, label(), run.observer(), run.start());
    return new LearnerSettings(app, layout, events, changed, cadence, encryption);
  }

  /** The same, written as often as another cadence says. */
  public LearnerSettings with(Cadence other) {
    return new LearnerSettings(app, layout, events, run, other, encryption);
  }

  /**
   * The same, of a model that learns alone, with other decoders, which must decode every event as
   * these do.
   */
  public LearnerSettings with(Supplier<EventDecoder> other) {
    return withDecoders(List.of(other));
  }

  /** The same with other decoders of each candidate, which must decode every event as these do. */
  public LearnerSettings withDecoders(
      BiFunction<CandidateModels.One, EventDecoder, EventDecoder> other) {
    return withDecoders(decoders().replacedBy(other));
  }

  private LearnerSettings withDecoders(List<Supplier<EventDecoder>> others) {
    Events changed = new Events(eventTopic(), modelIds(), others, labels(), events.registry());
    return new LearnerSettings(app, layout, changed, run, cadence, encryption);
  }

  /** What is learned from; with labels that come later, the learner's own topic. */
  public String eventTopic() {
    return events.topic();
  }

  /** The users' topic of events. */
  public String sourceTopic() {
    return events.labels().map(LateLabels::features).orElse(events.topic());
  }

  /** Names of all topics that must not lose a record, for messages. */
  public String topicsRead() {
    return labels()
        .map(each -> each.features() + ", " + each.topic() + ", " + eventTopic())
        .orElse(eventTopic());
  }

  /** What ids of schemas are in headers of a topic's records: of the users' topics. */
  public SchemaIds schemaIds(String topic) {
    boolean users = topic.equals(sourceTopic())
        || labels().filter(each -> topic.equals(each.topic())).isPresent();
    return users ? decoder().get().schemaIds() : SchemaIds.NONE;
  }

  /** Labels that come later, if they do. */
  public Optional<LateLabels> labels() {
    return events.labels();
  }

  public ModelIdRule modelIds() {
    return events.modelIds();
  }

  /** Makes decoders of events, as the first candidate reads them. */
  public Supplier<EventDecoder> decoder() {
    return events.decoders().get(0);
  }

  public Plan plan() {
    return run.plan();
  }

  /** That of the candidate with most weights. */
  public Plan largestPlan() {
    return run.candidates().all().stream()
        .map(CandidateModels.One::plan)
        .max(Comparator.comparingInt(Plan::dimension))
        .orElseThrow();
  }

  /** Whether a model of this id is learned, as far as settings alone tell. */
  public boolean learns(String modelId) {
    return run.candidates()
        .of(modelId)
        .map(one -> one.recordsOf(modelId))
        .filter(modelIds()::learns)
        .isPresent();
  }

  /** {@link Run#planOf}. */
  public Plan planOf(String modelId) {
    return run.planOf(modelId);
  }

  public NoiseKey key() {
    return run.key();
  }

  public String label() {
    return run.label();
  }

  /**
   * One more decoder of events, as the first candidate reads them: a label that the plan's
   * objective does not admit is of the wrong type.
   */
  public EventDecoder newDecoder() {
    return decoders().of(0);
  }

  /** One more decoder of events for each model that learns from a slot. */
  public List<EventDecoder> newDecoders() {
    return decoders().all();
  }

  private ModelDecoders decoders() {
    return new ModelDecoders(run.candidates(), events.decoders());
  }

  /** What its runs are told apart by, beside key, model and configuration. */
  public RunName runName() {
    return new RunName(app, label());
  }

  /** {@link Run#learnedBefore()}. */
  public List<OffsetRange> learnedBefore() {
    return run.learnedBefore();
  }

  /** Whether records are admitted by their unit's history. */
  public boolean keepsHistories() {
    return plan().account().admission().isPresent();
  }

  /**
   * Whether the event topic must say when the broker appended a record; in layout ordered the
   * announcements do.
   */
  public boolean needsLogTimeOfEvents() {
    return plan().needsLogTime() && layout.readsEvents() || labels().isPresent();
  }

  /** The topic that the trainer reads. */
  public String trainingTopic() {
    List<String> between = layout.topics(app);
    return between.isEmpty() ? eventTopic() : between.get(between.size() - 1);
  }

  /** Of the points on the control topic; parts on the topic of sums are encrypted anyway. */
  public TopicCipher controlCipher() {
    return encryption.topic(StoragePlace.topic(Names.control(app), 0));
  }
}

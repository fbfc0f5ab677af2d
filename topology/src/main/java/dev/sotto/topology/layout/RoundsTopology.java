package dev.sotto.topology.layout;

import static dev.sotto.topology.settings.TopicRequirement.parties;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.training.RoundSlices;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.batch.BatchRule;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.processor.CoordinatorProcessor;
import dev.sotto.topology.processor.RoundTimestamps;
import dev.sotto.topology.processor.WorkerProcessor;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.settings.TopicRequirement.Access;
import dev.sotto.topology.settings.TopicRequirement.Count;
import dev.sotto.topology.settings.TopicRequirement.Party;
import dev.sotto.topology.settings.TopicSettings;
import dev.sotto.topology.status.LearnerStatus;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Events and control records meet in one worker for each partition, in logical order; the workers'
 * sums meet in one coordinator.
 */
final class RoundsTopology extends LayoutTopology {
  /** Ten of them: the largest long would overflow, and disable the wait. */
  private static final long YEARS = 10 * 365 * 24 * 3_600_000L;

  @Override
  public List<TopicRequirement> topics(LearnerSettings settings) {
    return List.of(
        new TopicRequirement(
            Names.control(settings.app()),
            Count.AS_EVENTS,
            TopicSettings.large(TopicSettings.newestOnly()),
            false,
            "which round is open, with the point at which its gradients are taken",
            new Access(parties(Party.COORDINATOR), parties(Party.WORKER))),
        new TopicRequirement(
            Names.sums(settings.app()),
            Count.ONE,
            TopicSettings.large(TopicSettings.newestOnly()),
            false,
            "the encrypted sums of the workers' slices",
            new Access(parties(Party.WORKER), parties(Party.COORDINATOR))));
  }

  @Override
  public Party mapper() {
    return Party.WORKER;
  }

  @Override
  public Party closer() {
    return Party.COORDINATOR;
  }

  @Override
  public void prefer(Properties streams) {
    // A round is two hops: whoever waits for records looks for them often, and sends at once.
    streams.put(StreamsConfig.POLL_MS_CONFIG, "5");
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), "0");
    // A consumer has one fetch under way. While it waits for the control topic alone, since enough
    // events are at hand (by default for 500 ms), no more events come.
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), "10");
  }

  @Override
  public void require(Properties streams) {
    // The barrier between rounds: a worker waits for ever while one of its partitions is empty.
    streams.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, Long.toString(YEARS));
  }

  @Override
  public Set<String> inputs(LearnerSettings settings) {
    return Set.of(settings.eventTopic(), Names.control(settings.app()), settings.trainingTopic());
  }

  @Override
  public Map<String, BatchRule> batched(LearnerSettings settings, SourceTopics source) {
    RoundSlices slicing = slicing(settings, source);
    return Map.of(settings.eventTopic(), each -> slicing.roundOf(each.partition(), each.offset()));
  }

  private static RoundSlices slicing(LearnerSettings settings, SourceTopics source) {
    return new RoundSlices(source.genesis().firstSlices(), settings.plan().queriesPerRound());
  }

  @Override
  public List<Subtopology> parts(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    return List.of(
        workers(settings, source, logs, status),
        new TrainerPart(settings, source)
            .of(
                Names.SUMS,
                () -> new CoordinatorProcessor(settings, source, logs, status),
                control(settings, source)));
  }

  private static Subtopology workers(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    return new Subtopology(
        Names.WORK,
        List.of(
            new Subtopology.Input(
                Names.EVENTS,
                settings.eventTopic(),
                RoundTimestamps.ofEvents(slicing(settings, source))),
            new Subtopology.Input(
                Names.CONTROL, Names.control(settings.app()), RoundTimestamps.ofControl())),
        WorkerProcessor.supplier(settings, source, logs, status),
        List.of(),
        List.of(
            new Subtopology.Output(Names.TO_SUMS, Names.sums(settings.app()), null),
            Subtopology.Output.letters(settings)));
  }

  private static Subtopology.Output control(LearnerSettings settings, SourceTopics source) {
    Set<Integer> everywhere = IntStream.range(0, source.genesis().firstSlices().size())
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
    return new Subtopology.Output(
        Names.TO_CONTROL,
        Names.control(settings.app()),
        (topic, key, value, partitions) -> everywhere);
  }

  /** No line of the topology depends on the beginning that stands for the real one. */
  @Override
  public SourceTopics blueprint(LearnerSettings settings) {
    return super.blueprint(settings)
        .with(new RoundGenesis(
            "",
            List.of(new OffsetRange(0, 0, settings.plan().batch())),
            new byte[0],
            new byte[0],
            ""));
  }
}

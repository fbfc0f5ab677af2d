package dev.sotto.topology.settings;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Why records are set aside is told inside, once, and nowhere else. */
class LoggingDecoderTest {
  private final Logger all = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final EventDecoder decoder = new LoggingDecoder(new JsonEventDecoder(FeatureMap.builder()
      .numeric("x", "x", -1, 1, Transform.IDENTITY, true)
      .label("y", new LabelRule.AsItIs())
      .build()));
  private final Slot slot = new Slot(decoder.dimension());

  @BeforeEach
  void listen() {
    lines.start();
    all.addAppender(lines);
  }

  @AfterEach
  void stop() {
    all.detachAppender(lines);
  }

  private void decode(String... values) {
    for (String each : values) {
      decoder.decode(null, each == null ? null : each.getBytes(StandardCharsets.UTF_8), slot);
    }
  }

  private List<String> told() {
    List<ILoggingEvent> seen = List.copyOf(lines.list).stream()
        .filter(each -> each.getFormattedMessage().contains("dead letters"))
        .toList();
    assertThat(seen).allMatch(each -> each.getLoggerName().startsWith("inside."));
    return seen.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** A stated field that has the wrong type in a part of the records. */
  @Test
  void namesEachFieldOnce() {
    decode("{\"x\":0.5,\"y\":1}");
    assertThat(told()).isEmpty();
    decode("{\"x\":\"secret\",\"y\":1}", "{\"x\":\"other\",\"y\":1}", "{\"x\":1,\"y\":\"maybe\"}");
    assertThat(told())
        .containsExactly(
            "a record goes to the dead letters as WRONG_TYPE: field \"x\" must be a number, but is a text; so"
                + " do others like it",
            "a record goes to the dead letters as WRONG_TYPE: field \"y\" must be a number, or true or false,"
                + " but is a text; so do others like it");
  }

  @Test
  void saysWhatNoFieldIsToBlameFor() {
    decode("\u0000\u0000\u0000\u0000\u0007{\"x\":1,\"y\":1}", "{", null, null, "[1]", "[2]");
    assertThat(told()).hasSize(4);
    assertThat(told().get(0)).contains("UNREADABLE", "byte 0 and an id of 4 bytes", "is JSON");
    assertThat(told().get(1)).contains("UNREADABLE: the bytes could not be decoded");
    assertThat(told().get(2)).contains("EMPTY: the value is null");
    assertThat(told().get(3))
        .contains("WRONG_TYPE: the value must be a JSON object, but is a list");
  }

  /** As where label.field names a field that there is not: said once, and what to do. */
  @Test
  void saysThatNoneOfTheFirstRecordsFits() {
    for (int i = 0; i < LoggingDecoder.SHOWN - 1; i++) {
      decode("{\"x\":" + i + "}");
    }
    assertThat(none()).isEmpty();
    for (int i = 0; i < 2 * LoggingDecoder.SHOWN; i++) {
      decode("{\"x\":" + i + "}");
    }
    assertThat(none())
        .singleElement()
        .asString()
        .startsWith("NONE of the first 100 records can be used, all as MISSING_FIELD: field \"y\"")
        .contains("but is missing", "label.field", "sotto preflight");
  }

  @Test
  void saysNothingOfTheKindWhereOneFitsOrFaultsDiffer() {
    decode("{\"x\":1,\"y\":1}");
    for (int i = 0; i < 2 * LoggingDecoder.SHOWN; i++) {
      decode("{\"x\":1}");
    }
    EventDecoder other = new LoggingDecoder(new JsonEventDecoder(
        FeatureMap.builder().label("y", new LabelRule.AsItIs()).build()));
    for (int i = 0; i < 2 * LoggingDecoder.SHOWN; i++) {
      String value = i % 2 == 0 ? "{}" : "{\"y\":\"maybe\"}";
      other.decode(null, value.getBytes(StandardCharsets.UTF_8), slot);
    }
    assertThat(none()).isEmpty();
  }

  private List<String> none() {
    List<ILoggingEvent> seen = List.copyOf(lines.list).stream()
        .filter(each -> each.getFormattedMessage().startsWith("NONE of"))
        .toList();
    assertThat(seen).allMatch(each -> each.getLoggerName().startsWith("inside."));
    return seen.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void logsABoundedNumberOfLines() {
    for (int i = 0; i < 10_000; i++) {
      decode("{\"x\":\"a" + i + "\",\"y\":" + i + "}", "{" + i);
    }
    assertThat(told()).hasSize(2);
  }
}

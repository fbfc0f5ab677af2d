package dev.sotto.app.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.sotto.app.scoring.AbsentFields;
import dev.sotto.app.scoring.PredictionText;
import dev.sotto.client.Scorer;
import dev.sotto.learner.example.RecordStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Bodies of {@code POST /score}: one event as a JSON object, or a list of them. An event is read
 * as the learner reads it; the answer is what {@code sotto predict} prints.
 */
final class EventScoring {
  private static final JsonFactory JSON = new JsonFactory();

  /** Of a body: as it came, and an event of it apart. */
  static final long KNOWN = 2;

  /** Of an answer: as text, while that grows, and as bytes. */
  private static final long COPIES = 4;

  /**
   * An answer.
   *
   * @param code of HTTP: 422 for one event that cannot be scored
   * @param scored how many events were
   * @param unusable how many were not
   * @param absent fields of the model that none of the events has
   */
  record Answer(int code, byte[] body, int scored, int unusable, List<String> absent) {}

  private EventScoring() {}

  /**
   * Scores a body.
   *
   * @param most events of it
   * @param memory that the answer may take
   * @throws BadRequestException where it is neither an object nor a list of objects
   */
  static Answer score(byte[] body, Scorer scorer, int most, RequestMemory.Lease memory)
      throws BadRequestException {
    if (!scorer.model().readsFields()) {
      throw new BadRequestException("model " + scorer.model().modelId()
          + " learns from events that are not mapped by their fields: send its vectors as input"
          + " features to .../infer");
    }
    int first = 0;
    while (first < body.length && body[first] <= ' ' && body[first] >= 0) {
      first++;
    }
    if (first < body.length && body[first] == '[') {
      return scoreList(body, scorer, most, memory);
    }
    if (first == body.length || body[first] != '{') {
      throw new BadRequestException("the body must be a JSON object, or a list of JSON objects");
    }
    AbsentFields absent = new AbsentFields(scorer);
    RecordStatus status = scorer.score(body);
    absent.scored(body, status);
    boolean used = status == RecordStatus.USED;
    String text = used
        ? PredictionText.json(scorer)
        : PredictionText.json(status, scorer.fault(body, status));
    return new Answer(used ? 200 : 422, bytes(text), used ? 1 : 0, used ? 0 : 1, absent.names());
  }

  private static Answer scoreList(byte[] body, Scorer scorer, int most, RequestMemory.Lease memory)
      throws BadRequestException {
    StringBuilder answers = new StringBuilder("[");
    AbsentFields absent = new AbsentFields(scorer);
    int scored = 0;
    int unusable = 0;
    try (JsonParser parser = JSON.createParser(body)) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
          throw new BadRequestException("a list must hold JSON objects, but element "
              + (scored + unusable) + " is " + parser.currentToken());
        }
        if (scored + unusable == most) {
          throw new BadRequestException(
              413, "a list must hold at most " + most + " events; send fewer at a time");
        }
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        int to = (int) parser.currentLocation().getByteOffset();
        byte[] event = Arrays.copyOfRange(body, from, to);
        RecordStatus status = scorer.score(event);
        absent.scored(event, status);
        answers.append(scored + unusable == 0 ? "" : ",");
        if (status == RecordStatus.USED) {
          scored++;
          answers.append(PredictionText.json(scorer));
        } else {
          unusable++;
          answers.append(PredictionText.json(status, scorer.fault(event, status)));
        }
        memory.cover(KNOWN * body.length + COPIES * answers.length());
      }
      if (parser.nextToken() != null) {
        throw new BadRequestException("the body must end after the list");
      }
    } catch (JsonProcessingException malformed) {
      throw new BadRequestException("the body must be JSON: " + malformed.getOriginalMessage());
    } catch (IOException impossible) {
      throw new IllegalStateException("bytes in memory cannot be read", impossible);
    }
    byte[] all = bytes(answers.append(']').toString());
    return new Answer(200, all, scored, unusable, absent.names());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

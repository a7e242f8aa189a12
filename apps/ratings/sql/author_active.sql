-- Marks and recommendations follow their author's account: while it is closed they are neither shown nor counted.
-- Locks are taken as services take them: account, ratings, marks. A new mark locks its author's account (FOR SHARE), so
-- that the account is not closed at the same time.
CREATE FUNCTION author_active() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.is_author_active := coalesce((SELECT is_active FROM users WHERE id = NEW.user_id FOR SHARE), true);
    RETURN NEW;
END
$$;
CREATE FUNCTION marks_follow_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM rating_submissions WHERE user_id = NEW.id ORDER BY session_participant_id FOR UPDATE;
    PERFORM FROM performance_ratings WHERE user_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM advance_recommendations WHERE user_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
    UPDATE piece_ratings SET is_author_active = NEW.is_active WHERE user_id = NEW.id;
    UPDATE performance_ratings SET is_author_active = NEW.is_active WHERE user_id = NEW.id;
    UPDATE advance_recommendations SET is_author_active = NEW.is_active WHERE user_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER marks_follow_author AFTER UPDATE OF is_active ON users
    FOR EACH ROW WHEN (OLD.is_active IS DISTINCT FROM NEW.is_active) EXECUTE FUNCTION marks_follow_author();
CREATE TRIGGER piece_ratings_author BEFORE INSERT ON piece_ratings
FOR EACH ROW EXECUTE FUNCTION author_active();
CREATE TRIGGER performance_ratings_author BEFORE INSERT ON performance_ratings
FOR EACH ROW EXECUTE FUNCTION author_active();
CREATE TRIGGER advance_recommendations_author BEFORE INSERT ON advance_recommendations
FOR EACH ROW EXECUTE FUNCTION author_active();

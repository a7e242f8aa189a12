-- A publication of prizes is an outcome of its stage, as that of who advances is.
CREATE FUNCTION announcement_of_prizes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announcement_add('outcome', NEW.stage_id, NULL, NULL, NULL);
    RETURN NULL;
END $$;
CREATE TRIGGER announcement_of_prizes AFTER UPDATE OF state ON prize_lists
FOR EACH ROW WHEN (NEW.state = 'published' AND OLD.state = 'draft') EXECUTE FUNCTION announcement_of_prizes();
